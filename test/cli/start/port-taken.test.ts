import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { runProcess, serveJson } from '../../support/run-command.ts'

/** The port of a server that listens until the test is over. */
async function listen(server: Server): Promise<number> {
  onTestFinished(() => {
    server.close()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function refusalOf(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runProcess(args)
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  return stderr
}

const remedy = 'Stop it, or use --port 0 for any free port.\n'

it('by another pet-mock', async () => {
  const { ready } = await serveJson()
  const { port, origin } = new URL(ready.url)
  const taken = `Port ${port} on 127.0.0.1 is in use by another pet-mock, process ${ready.pid}. Stop it with pet-mock stop --url ${origin}, or use --port 0 for any free port.\n`
  expect(await refusalOf('--port', port)).toBe(taken)
})

it('by another pet-mock with HTTPS', async () => {
  const { ready } = await serveJson(['--tls'])
  const { port, origin } = new URL(ready.url)
  expect(await refusalOf('--port', port)).toContain(
    `by another pet-mock, process ${ready.pid}. Stop it with pet-mock stop --url ${origin}, or`,
  )
})

it('by another pet-mock without a run file', async () => {
  const { ready } = await serveJson([], { env: { TMPDIR: directoryWith({}) } })
  const { port } = new URL(ready.url)
  expect(await refusalOf('--port', port)).toBe(
    `Port ${port} on 127.0.0.1 is in use by another pet-mock. ${remedy}`,
  )
})

it('by another pet-mock whose admin plane requires a token', async () => {
  const { ready } = await serveJson(['--admin-token', 'secret'])
  expect(await refusalOf('--port', new URL(ready.url).port)).toContain(
    `is in use by another pet-mock, process ${ready.pid}. Stop it`,
  )
})

it.each<[server: string | undefined, shown: string]>([
  [undefined, 'an HTTP server'],
  ['nginx/1.29', 'an HTTP server (nginx/1.29)'],
  ['\x9b31m', 'an HTTP server (\\x9b31m)'],
])('by an HTTP server that names itself %j', async (name, shown) => {
  const server = createHttpServer((_, response) => {
    response.writeHead(200, name === undefined ? {} : { Server: name }).end('hello')
  })
  const port = await listen(server)
  expect(await refusalOf('--port', `${port}`)).toBe(
    `Port ${port} on 127.0.0.1 is in use by ${shown}. ${remedy}`,
  )
})

it('by an HTTP server whose response never ends', async () => {
  const server = createHttpServer((_, response) => response.writeHead(200, { Server: 'drip' }).write('…'))
  const port = await listen(server)
  expect(await refusalOf('--port', `${port}`)).toContain('is in use by an HTTP server (drip). ')
  server.closeAllConnections()
})

it.each<[what: string, greeting: string]>([
  ['speaks first', 'SSH-2.0-OpenSSH_9.9\r\n'],
  ['says nothing', ''],
])('by something that %s', async (_, greeting) => {
  const port = await listen(createServer(socket => socket.on('error', () => {}).write(greeting)))
  const taken = `Port ${port} on 127.0.0.1 is in use by something that does not speak HTTP. ${remedy}`
  expect(await refusalOf('--port', `${port}`)).toBe(taken)
})

it.each<[host: string, message: RegExp]>([
  ['192.0.2.1', /^192\.0\.2\.1 is not an address of this machine\. Use --host 127\.0\.0\.1 for .*\n$/],
  ['no-such-host.invalid', /^Unknown host no-such-host\.invalid\. --host takes .*\n$/],
])('not an address of this machine: %s', async (host, message) => {
  expect(await refusalOf('--port', '0', '--host', host)).toMatch(message)
})
