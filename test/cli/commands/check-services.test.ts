import { describe, expect, it } from 'vitest'
import { faultsOfLists } from '../../judges/conformance/service/faults-of-lists.ts'
import { faultsOfRefusals } from '../../judges/conformance/service/faults-of-refusals.ts'
import { tokenBucket } from '../../judges/conformance/service/limiters.ts'
import { serveTraits } from '../../judges/conformance/service/serve-service.ts'
import { key, type Traits } from '../../judges/conformance/service/traits.ts'
import { listenHttp, listenRaw } from '../../support/listen.ts'
import { runCommand } from '../../support/run-command.ts'

const traitsOf = (traits: Partial<Traits> | (() => Partial<Traits>) = {}) =>
  typeof traits === 'function' ? traits() : traits

describe('the command, against the hand-written service', () => {
  it('says in its first line which address it checks', async () => {
    const url = await serveTraits({})
    const { code, stdout, stderr } = await runCommand(['check', url, '--key', key])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [first] = stdout.split('\n')
    expect(first).toBe(`Checking ${url}/v1 (added /v1, the base path of the service)`)
    const whole = await runCommand(['check', `${url}/v1/`, '--key', key, '--max-calls', '3'])
    expect(whole.stdout.split('\n')[0]).toBe(`Checking ${url}/v1`)
  })

  it('lists what it did not check, with the reason', async () => {
    const url = await serveTraits({ link: () => '' })
    const { stdout } = await runCommand(['check', url, '--key', key, '--json'])
    const { notChecked, report } = JSON.parse(stdout)
    const line = {
      id: 'page-continues',
      reason: 'the service sends no link rel="next"',
      isUnjudged: false,
    }
    expect(notChecked).toContainEqual(line)
    expect(report.notes).toContain('Not made (page-continues): the service sends no link rel="next".')
    const other = await serveTraits({ link: () => '' })
    const text = await runCommand(['check', other, '--key', key])
    expect(text.stdout).toMatch(/^Not made \([^)]*page-continues[^)]*\): the service sends no/m)
    expect(text.stdout).toMatch(/^Judged +\d+ calls \(plan free, seed 1\)$/m)
  })

  it('stops if the base URL leads elsewhere', async () => {
    let calls = 0
    const { origin } = await listenHttp((_call, response) => {
      calls += 1
      response.writeHead(404).end()
    })
    const { code, stderr } = await runCommand(['check', `${origin}/v2`, '--key', key])
    expect(code).toBe(3)
    expect(stderr).toBe(
      `Nothing was checked: ${origin}/v2 answered the first 3 calls with 404. Check the base URL, which usually ends in /v1.\n`,
    )
    expect(calls).toBe(3)
  })

  it('is red if no list came before the run ended', async () => {
    const { origin } = await listenHttp((_call, response) => {
      response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '50000' })
      response.end('{"code":"rate_limit_exceeded","message":"Wait.","status":429}')
    })
    const { code, stdout } = await runCommand(['check', `${origin}/v1`, '--key', key])
    expect(stdout).toMatch(/^Failing findings: .*unjudged/m)
    expect(code).toBe(1)
  })

  it('accuses no bucket that fills all the time', async () => {
    const url = await serveTraits({ limiter: tokenBucket, quota: { minute: 300, day: 10_000 } })
    const { code } = await runCommand(['check', url, '--key', key, '--plan', 'pro', '--json'])
    expect(code).toBe(0)
  })

  it.each([
    ['the next page loses the filter', faultsOfLists],
    ['the next page repeats an animal', faultsOfLists],
    ['Retry-After of zero', faultsOfRefusals],
  ])('finds: %s', async (name, faults) => {
    const fault = faults[name]
    const url = await serveTraits(traitsOf(fault?.traits))
    const flags = fault?.exhausts ? ['--exhaust', '--max-time', '40s'] : []
    const { code, stdout } = await runCommand(['check', url, '--key', key, '--json', ...flags])
    expect(code).toBe(1)
    const errors = JSON.parse(stdout).report.findings.filter(
      ({ severity }: { severity: string }) => severity === 'error',
    )
    expect(errors.map(({ id }: { id: string }) => id)).toContain(fault?.finds.split(':')[0])
  })

  it('says how long it waits, in seconds', async () => {
    const url = await serveTraits({
      quota: { minute: 60, day: 1_000 },
      retryAfter: () => '2',
      banAfter: undefined,
    })
    const { stderr } = await runCommand(['check', url, '--key', key, '--exhaust', '--max-time', '40s'])
    // A second more than Retry-After, since services round down.
    expect(stderr).toMatch(/^waiting for 3 s until Retry-After is over$/m)
    expect(stderr).not.toMatch(/\dms/)
  })
})

/** Serves the same bytes for each call, and leaves connections open after 101. */
async function serveBytes(bytesOf: (method: string) => string): Promise<string> {
  const { origin } = await listenRaw((socket, _count, data) => {
    const bytes = bytesOf(`${data}`.split(' ')[0] ?? '')
    if (bytes.startsWith('HTTP/1.1 101')) socket.write(bytes)
    else socket.end(bytes)
  })
  return origin
}

const answer = (status: number, headers = '', body = '[]') =>
  `HTTP/1.1 ${status} S\r\nContent-Type: application/json\r\nConnection: close\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`
const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
const limits = 'X-RateLimit-Limit: 60\r\nX-RateLimit-Remaining: 0\r\nX-RateLimit-Reset: 1772442060\r\n'

describe('the command always ends with a report, against a service that answers', () => {
  it.each<[what: string, bytesOf: (method: string) => string, mostCalls: number, says: RegExp]>([
    ['101', () => switching, 60, /the status is 101, not 200/],
    [
      '101 to POST alone',
      method => (method === 'POST' ? switching : answer(200)),
      60,
      /the status is 101, not 201/,
    ],
    ['401', () => answer(401, limits), 2, /the service rejects the value of --key with 401/],
    [
      '429',
      () => answer(429, `${limits}Retry-After: 1\r\n`),
      2,
      /the service answers every request with 429, also after Retry-After/,
    ],
    ['503', () => answer(503), 6, /the service answers every request with 5xx, such as 503/],
  ])('%s', async (_what, bytesOf, mostCalls, says) => {
    const url = await serveBytes(bytesOf)
    const args = ['check', url, '--key', key, '--allow-writes', '--json']
    const { code, stdout } = await runCommand(args)
    expect(code).toBe(1)
    expect(stdout).toMatch(says)
    expect(JSON.parse(stdout).report.judge).toBe('check')
    expect(Number(/"(\d+) calls? /.exec(stdout)?.[1])).toBeLessThanOrEqual(mostCalls)
  })
})
