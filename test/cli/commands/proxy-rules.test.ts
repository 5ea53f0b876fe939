import { expect, test } from 'vitest'
import { loadRules } from '../../../src/cli/commands/proxy/run.ts'
import { directoryWith } from '../../support/directory.ts'
import { listenHttp } from '../../support/listen.ts'
import { needPosix } from '../../support/requirements.ts'
import { runCommand, spawnCommand } from '../../support/run-command.ts'

needPosix('signals')

/** A service that answers everything with this body. */
async function service(body: string): Promise<string> {
  const { origin } = await listenHttp((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body),
  )
  return `${origin}/v1`
}

async function startProxy(url: string, ...flags: readonly string[]) {
  const running = spawnCommand(['proxy', url, '--port', '0', '--log-format', 'json', ...flags])
  const [line] = await running.until(/^.+(?=\n)/)
  const ready: { readonly url: string; readonly admin: string } = JSON.parse(line)
  const stop = async () => {
    running.child.kill('SIGTERM')
    return await running.ended
  }
  return { ...ready, stop }
}

const rules = (text: string) => `${directoryWith({ 'storm.yaml': text })}/storm.yaml`
const pets = '[{"id":1,"name":"Rex","categoryId":1}]'

test("an injected answer is marked everywhere, and never judged as the service's", async () => {
  const file = rules(`bans: off
rules:
  - name: storm
    when: { first: 2 }
    then: { status: 200, body: { totally: wrong } }
  - name: slow
    then: { fault: { slow: { chunk: 10, every: 1ms } } }`)
  const { url, admin, stop } = await startProxy(await service(pets), '--rules', file, '--contract')
  const headers = { Authorization: 'Bearer real-key' }
  const marks: unknown[] = []
  for (let call = 0; call < 3; call += 1) {
    const response = await fetch(`${url}/pets`, { headers })
    marks.push([response.headers.get('x-pet-mock'), await response.text()])
  }
  expect(marks).toEqual([
    ['storm', '{"totally":"wrong"}'],
    ['storm', '{"totally":"wrong"}'],
    ['slow', pets],
  ])
  const recorded = async () => {
    const { requests } = (await (await fetch(`${admin}/requests`)).json()) as {
      readonly requests: readonly Readonly<Record<string, unknown>>[]
    }
    return requests.map(({ gate, rules, synthetic }) => [gate, rules, synthetic])
  }
  // A client may have its answer before the proxy has recorded it.
  await expect.poll(recorded).toEqual([
    ['rule', ['storm'], true],
    ['rule', ['storm'], true],
    ['operation', ['slow'], false],
  ])
  const har = await (await fetch(`${admin}/requests.har`)).text()
  expect(har.match(/"name":"X-Pet-Mock","value":"storm"/g)).toHaveLength(2)
  const { code, stderr } = await stop()
  // The body of the service is right. It has no limit headers: the contract names each, and the service's judge all.
  expect(stderr.match(/#\d+/g)).toEqual(['#3', '#3', '#3', '#3'])
  expect(stderr).not.toContain('contract-body')
  expect(stderr).toContain(`The proxy applies the rules of ${file}. The service decides the rest`)
  expect(code).toBe(1)
})

test.each<[text: string, notice: string | undefined]>([
  ['{ rules: [{ then: { delay: 1ms } }], keys: { mine: { plan: pro } }, seed: 3 }', undefined],
  [
    '{ rules: [{ then: { delay: 1ms } }], limits: { anonymous: enforce }, bans: off, keys: { demo-free: { used: { minute: 3 } } } }',
    'The proxy applies the rules of FILE. The service decides the rest, so the proxy ignores limits, bans, keys.',
  ],
  ['{ title: Quiet }', 'FILE has no rules, so the proxy changes nothing.'],
])('one line says what of %s the proxy cannot apply', async (text, notice) => {
  const file = rules(text)
  const loaded = await loadRules(file)
  expect(loaded.ok && loaded.value.notice).toBe(notice?.replace('FILE', file))
})

test('a bad file is refused with its place', async () => {
  const file = rules('rules: [{ then: { fault: slow-close } }]')
  const { code, stderr } = await runCommand(['proxy', 'http://127.0.0.1:1/v1', '--rules', file])
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/storm\.yaml:1:26: rules\[0\]\.then\.fault: expected one of/),
  ])
})

test('SIGTERM does not wait for a slow reply', async () => {
  const file = rules('rules: [{ then: { fault: { slow: { bytesPerSecond: 1 } } } }]')
  const { url, stop } = await startProxy(
    await service(pets.repeat(100)),
    '--rules',
    file,
    '--no-contract',
    // The service has no limit headers.
    '--fail-on',
    'never',
  )
  const response = await fetch(`${url}/pets`, { headers: { Authorization: 'Bearer demo-free' } })
  const { code } = await stop()
  expect([code, (await response.text()).length]).toEqual([0, pets.length * 100])
})
