import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { quotas } from './check-service.ts'
import { createService } from './service.ts'
import type { Traits } from './traits.ts'

/** Serves the hand-written service on real time. Resolves with its address, without a path. */
export async function serveTraits(traits: Partial<Traits>): Promise<string> {
  const service = createService({ quota: quotas.free, ...traits })
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url = '', headers } = request
    const named = Object.entries(headers).map(([name, value]) => [name, `${value}`])
    const reply = service.handle({
      method,
      target: url,
      headers: Object.fromEntries(named),
      body: body === '' ? undefined : body,
      at: Date.now(),
    })
    response.writeHead(reply.status, { ...reply.headers, connection: 'close' })
    // In two chunks, without a length.
    response.write(reply.text.slice(0, 7))
    response.end(reply.text.slice(7))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise(resolve => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
