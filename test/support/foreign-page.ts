import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'vitest'

/** Serves a page of somebody else until the test is over. Returns its port: every name of this machine is an origin. */
export async function serveHtml(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  body: string,
): Promise<number> {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(`<!doctype html><link rel="icon" href="data:,"><title>Another page</title>${body}`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}
