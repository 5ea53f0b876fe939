import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const { resolve } = createRequire(import.meta.url)

const bundles = new Map<string, Promise<string>>()

/** A program for pages, by its absolute path, as one script. A worker makes it once. */
export function bundleForPages(input: string): Promise<string> {
  const bundled = bundles.get(input) ?? bundle(input)
  bundles.set(input, bundled)
  return bundled
}

async function bundle(input: string): Promise<string> {
  const bundle = await rolldown({
    input,
    platform: 'browser',
    resolve: { modules },
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  return output[0].code
}

/** Where libraries are: for a program elsewhere, too. */
const modules = ['node_modules', fileURLToPath(new URL('../../node_modules', import.meta.url))]

export interface PageServer {
  readonly origin: string
  readonly close: () => void
}

/** Serves an empty page with a script on loopback, and MSW's service worker beside it. */
export async function servePage(script: string): Promise<PageServer> {
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': ['text/html', '<!doctype html><title>A shop</title><script type="module" src="/page.js"></script>'],
    '/page.js': ['text/javascript', script],
    '/mockServiceWorker.js': ['text/javascript', readFileSync(resolve('msw/mockServiceWorker.js'), 'utf8')],
  }
  const server = createServer((request, response) => {
    const [type, text] = files[(request.url ?? '').replace(/\?.*/, '')] ?? []
    response.writeHead(type === undefined ? 404 : 200, { 'Content-Type': type ?? 'text/plain' })
    response.end(text)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, close }
}
