import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { ownCertificate } from '../../src/cli/start/state/load-tls.ts'
import { openChromium } from '../support/browser.ts'
import { directoryWith } from '../support/directory.ts'
import { serverTest as test } from '../support/raw-http.ts'

test('a page over HTTPS sends its own headers to a server over HTTPS', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const browser = await openChromium({ skip })
  const { cert, key } = await ownCertificate(directoryWith({}), Date.now())
  const pages = createServer({ cert, key }, (_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<!doctype html><title>An app</title>')
  })
  await new Promise<void>(resolve => pages.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    pages.close()
    pages.closeAllConnections()
  })
  const messages: string[] = []
  const server = await open({ tls: { cert, key }, onRefusal: ({ message }) => messages.push(message) })
  const page = await browser.newPage({ ignoreHTTPSErrors: true })
  onTestFinished(() => page.close())
  await page.goto(`https://localhost:${(pages.address() as AddressInfo).port}/`)
  const seen = await page.evaluate(async url => {
    const headers = { Authorization: 'Bearer demo-free', traceparent: '00-1-2-01' }
    const response = await fetch(url, { headers })
    return [response.status, response.headers.get('link')]
  }, `https://127.0.0.1:${server.port}/v1/pets?limit=1`)
  expect(seen).toEqual([200, expect.stringContaining(`<https://127.0.0.1:${server.port}/v1/pets?`)])

  const strict = await browser.newPage()
  onTestFinished(() => strict.close())
  await expect(strict.goto(`https://127.0.0.1:${server.port}/v1`)).rejects.toThrow(
    'ERR_CERT_AUTHORITY_INVALID',
  )
  expect(messages).toContain(
    'The client does not trust the certificate of pet-mock. docs/browser.md says how it can.',
  )
})
