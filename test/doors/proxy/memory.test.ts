import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { requireOrSkip } from '../../support/requirements.ts'
import { spawnCommand } from '../../support/run-command.ts'

const megabyte = 2 ** 20
const bodyBytes = 100 * megabyte
const piece = Buffer.alloc(megabyte / 4, 'x')

/** How much of a process is in memory: now, and at most since it began; bytes. Linux tells that. */
function memoryOf(pid: number | undefined): { readonly now: number; readonly peak: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kilobytes = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) * 1_024
    const [now, peak] = [kilobytes('VmRSS'), kilobytes('VmHWM')]
    return Number.isNaN(now + peak) ? undefined : { now, peak }
  } catch {
    return undefined
  }
}

/** As fast as it is taken. */
async function send(to: NodeJS.WritableStream): Promise<void> {
  for (let sent = 0; sent < bodyBytes; sent += piece.length) {
    if (!to.write(piece)) await once(to, 'drain')
  }
  to.end()
}

/** Slower than it comes: after each piece everybody else has their turns first. */
async function readSlowly(from: NodeJS.ReadableStream): Promise<number> {
  let read = 0
  for await (const chunk of from) {
    read += chunk.length
    for (let turn = 0; turn < 5; turn += 1) await new Promise(resolve => setImmediate(resolve))
  }
  return read
}

test.for([
  ['an answer', 'GET', undefined],
  ['a request', 'POST', undefined],
  ['an answer at a pace', 'GET', '{ then: { fault: { slow: { chunk: 5000000, every: 1ms } } } }'],
  ['an answer that is broken at its end', 'GET', '{ then: { fault: malformed } }'],
  ['a request that a rule reads', 'POST', '{ match: { body: { a: 1 } }, then: { status: 500 } }'],
] as const)('%s of 100 MB passes through 64 MB', async ([, method, rule], context) => {
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    if (incoming.url === '/v1/pets') response.end('{}')
    else if (method === 'GET') await send(response)
    else response.end(`${await readSlowly(incoming)}`)
  }
  const upstream = createServer(serve).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  onTestFinished(() => {
    upstream.close()
    upstream.closeAllConnections()
  })
  const { port: upstreamPort } = upstream.address() as AddressInfo
  const scenario = rule && directoryWith({ 'rules.yaml': `rules: [${rule}]` })
  const rules = scenario === undefined ? [] : ['--rules', `${scenario}/rules.yaml`]
  const flags = ['--port', '0', '--log-format', 'json', ...rules]
  const { child, until } = spawnCommand(['proxy', `http://127.0.0.1:${upstreamPort}/v1`, ...flags])
  const [line] = await until(/^.+(?=\n)/)
  const { url } = JSON.parse(line)
  // What is loaded with the first calls, Prism above all, is no body.
  for (let made = 0; made < 20; made += 1) await (await fetch(`${url}/pets`)).text()
  await until(/^\{"event":"contract","id":20,/m)
  const before = requireOrSkip(context, 'memory of processes in /proc', memoryOf(child.pid))

  const call = request(`${url}/large`, { method })
  const answered = once(call, 'response')
  if (method === 'GET') call.end()
  else await send(call)
  const [response]: IncomingMessage[] = await answered
  const read = response && (await readSlowly(response))
  expect(read).toBe(method === 'GET' ? bodyBytes : `${bodyBytes}`.length)
  const grown = ((memoryOf(child.pid)?.peak ?? Number.NaN) - before.now) / megabyte
  expect(grown).toBeLessThan(64)
})
