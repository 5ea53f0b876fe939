import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { openPage, servePage } from '../support/browser.ts'
import { spawnCommand } from '../support/run-command.ts'

/** A page of shop.example before a proxy, which is before a service without CORS whose link names itself. */
test('a page follows the pages of a service without CORS through the proxy, and reads its 502', async ({
  skip,
  onTestFinished,
}) => {
  const page = await openPage({ skip, onTestFinished })
  const port = await servePage({ onTestFinished })
  const origin = `http://shop.example:${port}`
  const service = createServer((request, response) => {
    if (request.method === 'OPTIONS') response.writeHead(405).end()
    else if (request.url === '/v1/pets?page=2') response.end('["second"]')
    else {
      const { port: own } = service.address() as AddressInfo
      response.setHeader('Link', `<http://127.0.0.1:${own}/v1/pets?page=2>; rel="next"`).end('["first"]')
    }
  })
  await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve))
  const stopService = () => {
    service.close()
    service.closeAllConnections()
  }
  onTestFinished(stopService)
  const upstream = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`
  const flags = ['--cors', origin, '--rewrite-links', '--no-contract', '--log-format', 'json']
  const running = spawnCommand(['proxy', upstream, '--port', '0', ...flags])
  const [line] = await running.until(/^.+(?=\n)/)
  const { url }: { url: string } = JSON.parse(line)

  await page.goto(`${origin}/`)
  const fetchAll = (first: string) =>
    page.evaluate(async from => {
      const seen: unknown[] = []
      let next: string | undefined = from
      while (next !== undefined && seen.length < 5) {
        const headers = { Authorization: 'Bearer demo-free', traceparent: '00-1-2-01' }
        const response: Response | string = await fetch(next, { headers }).catch(error => `${error}`)
        if (typeof response === 'string') return [...seen, response]
        seen.push([new URL(response.url).origin, response.status, await response.json()])
        next = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1]
      }
      return seen
    }, first)

  const own = new URL(url).origin
  expect(await fetchAll(`${url}/pets`)).toEqual([
    [own, 200, ['first']],
    [own, 200, ['second']],
  ])
  stopService()
  expect(await fetchAll(`${url}/pets`)).toEqual([
    [own, 502, expect.objectContaining({ code: 'upstream_failed' })],
  ])
})
