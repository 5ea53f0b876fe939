import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { watchConduct } from '../../../src/cli/clients/watch-conduct.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { directoryWith } from '../../support/directory.ts'
import { handMade } from '../../support/proxies.ts'
import { needPosix } from '../../support/requirements.ts'
import { runCommand, spawnCommand, withoutPages } from '../../support/run-command.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'

/** Proxies one call to a service that always gives this answer, and resolves with the end of the proxy. */
async function proxyOne(target: string, answer: string, flags: readonly string[] = [], status = '200 OK') {
  const upstream = await handMade(socket => socket.end(`HTTP/1.1 ${status}\r\n${answer}`))
  const url = `http://127.0.0.1:${upstream.port}/v1`
  const running = spawnCommand(['proxy', url, '--port', '0', '--log-format', 'json', ...flags])
  const [line] = await running.until(/^.+(?=\n)/)
  const { hostname, port } = new URL(JSON.parse(line).url)
  // Unlike fetch, this sends any path.
  const sent = request({ hostname, port, path: target, agent: false }).end()
  await new Promise(resolve => {
    sent.on('response', response => response.resume().once('close', resolve)).on('error', resolve)
  })
  running.child.kill('SIGTERM')
  return await running.ended
}

const wrongPet = 'Content-Type: application/json\r\nContent-Length: 19\r\n\r\n{"totally":"wrong"}'

describe('proxy --contract: a call that could not be judged', () => {
  needPosix('signals')

  it.each<[about: string, target: string, answer: string, told: RegExp]>([
    [
      'has a path that nobody can decode',
      '/v1/pets/%zz',
      wrongPet,
      /GET \/v1\/pets\/%zz → 200 {2}the path cannot be decoded/,
    ],
    [
      'has a body in an unknown coding',
      '/v1/pets/1',
      'Content-Encoding: dcb\r\nContent-Length: 2\r\n\r\n{}',
      /GET \/v1\/pets\/1 → 200 {2}a body is larger than 1 MiB or cannot be decoded/,
    ],
  ])('%s: it is printed and counted, and the exit code is 1', async (_, target, answer, told) => {
    const { code, stderr } = await proxyOne(target, answer)
    expect(stderr).toMatch(told)
    expect(stderr).toMatch(/– not judged {2}unjudged\n {2}1 call could not be judged/)
    expect(stderr).not.toMatch(/^ +at /m)
    expect(code).toBe(1)
  })

  it.each([
    ['by the rules of the API', '/v1/pets', [], 'The service'],
    ['by the contract', '/v1/nothing', [], 'The contract'],
    ['without the contract', '/v1/pets', ['--no-contract'], 'The service'],
  ])('a service that only redirects fails, %s', async (_, target, flags, judge) => {
    const answer = 'Location: https://other.example/api/\r\nContent-Length: 0\r\n\r\n'
    const { code, stderr } = await proxyOne(target, answer, flags, '301 Moved Permanently')
    expect(stderr).toContain(`${judge}: 1 not judged`)
    expect(stderr).toContain('301  the service redirects it to https://other.example/api/')
    expect(stderr).toMatch(/\nFailing findings: unjudged\. Not judged: 1 call\. More: docs\/findings\.md\n$/)
    expect(code).toBe(1)
  })

  it('an answer that broke off is a matter of availability', async () => {
    const broken = 'Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"totally"'
    const { code, stderr } = await proxyOne('/v1/pets/1', broken)
    expect(stderr).toMatch(/GET \/v1\/pets\/1 → 200 {2}the service sent a part of an answer/)
    expect(stderr).toMatch(/✕ error {2}availability\n/)
    expect(stderr).not.toContain('unjudged')
    expect(code).toBe(1)
  })

  it.each([
    [1, ['--contract']],
    [1, ['--fail-on', 'warning']],
    [1, ['--fail-on', 'unjudged']],
    [0, ['--fail-on', 'unjudged=never']],
    [0, ['--fail-on', 'never']],
  ])('exit code %d with %j', async (exitCode, flags) => {
    const { code, stderr } = await proxyOne('/v1/pets/%zz', wrongPet, flags)
    expect(stderr).toMatch(
      exitCode === 0
        ? /\nFailing findings: none\. Not judged: 1 call\.\n$/
        : /\nFailing findings: unjudged\. Not judged: 1 call\. More: docs\/findings\.md\n$/,
    )
    expect(code).toBe(exitCode)
  })
})

describe('where Node forbids code generation, nothing starts', () => {
  const toys = `openapi: 3.1.0
info: { title: Toys, version: '1' }
paths: { /toys: { get: { responses: { 200: { description: ok } } } } }
`
  const reason =
    'Node.js runs with --disallow-code-generation-from-strings, but calls are checked against a contract by generated code. Remove that option'

  it.each([
    ['exec --contract -- node --eval 1', `--contract: ${reason}, or use --no-contract.`],
    ['serve --contract', `--contract: ${reason}, or use --no-contract.`],
    ['proxy http://127.0.0.1:9/v1', `--contract: ${reason}, or use --no-contract.`],
    ['serve --openapi toys.yaml', `--openapi: ${reason}`],
    ['check http://127.0.0.1:9/v1 --key k', reason],
  ])('%s', async (line, told) => {
    const cwd = directoryWith({ 'toys.yaml': toys })
    const env = { NODE_OPTIONS: '--disallow-code-generation-from-strings' }
    const { code, stdout, stderr } = await runCommand([...line.split(' ')], { cwd, env })
    expect({ code, stdout, stderr: withoutPages(stderr) }).toEqual({
      code: 2,
      stdout: '',
      stderr: `${told}\n`,
    })
  })
})

it('a defect of the judge of conduct is an error of the report, and loses no other call', async () => {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: noon })
  let asked = 0
  const { sandboxes } = emulator
  const find = sandboxes.get.bind(sandboxes)
  sandboxes.get = name => {
    asked += 1
    if (asked === 1) throw new Error('a defect')
    return find(name)
  }
  const errors: unknown[] = []
  const report = watchConduct(emulator, error => errors.push(error))
  for (let made = 0; made < 2; made += 1)
    emulator.handle({
      method: 'GET',
      target: '/v1/pets',
      headers: ['Host', 'localhost', 'Authorization', 'Bearer demo-free'],
      body: undefined,
      scheme: 'http',
      client: '127.0.0.1',
      receivedAt: noon,
    })
  const { findings, unjudged, checks, calls } = report()
  expect(findings).toMatchObject([
    { id: 'judge-failed', severity: 'error', count: 1, evidence: [{ detail: 'the judge failed: a defect' }] },
  ])
  expect(unjudged).toMatchObject([{ count: 1, what: 'call', reason: 'the judge failed: a defect' }])
  expect(checks).toContainEqual(expect.objectContaining({ id: 'early-retry', result: 'unjudged' }))
  expect({ calls, errors: errors.length }).toEqual({ calls: 1, errors: 1 })
})
