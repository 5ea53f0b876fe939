import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type TestContext } from 'vitest'
import { callApi, describeDashboard } from '../../support/dashboard.ts'
import { serveHtml } from '../../support/foreign-page.ts'
import { serverTest as test } from '../../support/raw-http.ts'

const openDashboard = describeDashboard()

/** A reverse proxy with a path prefix, as nginx is with `location /mock/ { proxy_pass …/; }`. Returns its port. */
async function serveBelow(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  prefix: string,
  port: number,
): Promise<number> {
  const proxy = createServer((request, response) => {
    const { method, headers, url = '' } = request
    if (!url.startsWith(`${prefix}/`)) {
      response.writeHead(404).end()
      return
    }
    const added = {
      'x-forwarded-prefix': prefix,
      'x-forwarded-host': headers.host,
      'x-forwarded-for': '127.0.0.1',
    }
    const target = { host: '127.0.0.1', port, method, path: url.slice(prefix.length) }
    const onward = forward({ ...target, headers: { ...headers, ...added } }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  return (proxy.address() as AddressInfo).port
}

test('behind a proxy with a path prefix, the dashboard and the panel work', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server, complaints } = await openDashboard(
    { open, skip, onTestFinished },
    { server: { trustProxy: true } },
  )
  const port = await serveBelow({ onTestFinished }, '/mock', server.port)
  await callApi(server, '/v1/pets?limit=2')
  await page.goto('about:blank')
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await page.goto(`http://localhost:${port}/mock/`)
  await page.waitForURL(`http://localhost:${port}/mock/__admin/**`)
  await page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name: 'Requests' }).click()
  await page.getByRole('link', { name: '/v1/pets?limit=2' }).waitFor()
  expect(asked.filter(path => !path.startsWith('/mock/'))).toEqual([])
  const script = `<script type="module" src="http://localhost:${port}/mock/__admin/panel.js"></script>`
  await page.goto(`http://localhost:${await serveHtml({ onTestFinished }, script)}/`)
  await page.getByRole('button', { name: 'pet-mock' }).click()
  await page.frameLocator('pet-mock-panel iframe').getByText('59 of 60 left this minute').waitFor()
  expect(asked.filter(path => path.includes('__admin') && !path.startsWith('/mock/'))).toEqual([])
  expect(complaints).toEqual([])
})
