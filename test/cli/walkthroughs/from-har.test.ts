import { existsSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { runCommand, serveJson } from '../../support/run-command.ts'

interface EntryOptions {
  readonly url?: string
  readonly method?: string
  readonly status?: number
  readonly at?: string
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly answer?: Readonly<Record<string, string>>
}

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

/** An entry as Chrome writes it: without Authorization and cookies. */
function entry({
  url = 'https://api.example/v1/pets?limit=1',
  method = 'GET',
  status = 200,
  ...rest
}: EntryOptions = {}) {
  const {
    at = '2026-01-05T10:00:00.000Z',
    text = '[{"id":1,"name":"Ä","categoryId":7}]',
    headers = {},
    answer,
  } = rest
  const limits = {
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': '250',
    'x-ratelimit-reset': '1767607230',
  }
  return {
    startedDateTime: at,
    time: 20,
    request: {
      method,
      url,
      httpVersion: 'HTTP/2',
      cookies: [],
      headers: pairs(headers),
      queryString: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status,
      statusText: '',
      headers: pairs(answer ?? limits),
      content: { size: 1, mimeType: 'application/json', text },
      redirectURL: '',
    },
    cache: {},
    timings: {},
  }
}

const archive = (...entries: readonly unknown[]) =>
  JSON.stringify({
    log: { version: '1.2', creator: { name: 'x', version: '1' }, pages: [{ title: '"entries":[' }], entries },
  })

const from = (cwd: string, ...words: readonly string[]) =>
  runCommand(['scenarios', 'from', ...words], { cwd })

describe('scenarios from', () => {
  it('makes a scenario of an archive of pet-mock, which every command can use', async () => {
    const server = await serveJson(['-s', 'rate-limit-exhaustion', '--add-key', 'live_4f9a8c71b2e3=pro'])
    const call = (target: string, key: string, init: RequestInit = {}) =>
      fetch(server.ready.url + target, {
        ...init,
        headers: { ...init.headers, Authorization: `Bearer ${key}` },
      })
    for (let made = 0; made < 4; made += 1) await call('/pets', 'demo-free')
    await call('/pets', 'live_4f9a8c71b2e3', {
      method: 'POST',
      body: '{"name":"Rex","categoryId":1}',
      headers: { 'Content-Type': 'application/json' },
    })
    await call('/pets/101', 'live_4f9a8c71b2e3')
    await fetch(`${server.ready.admin}/clock/advance`, {
      method: 'POST',
      body: '{"by":"90s"}',
      headers: { 'Content-Type': 'application/json' },
    })
    await call('/pets', 'demo-free')
    const cwd = directoryWith({
      'calls.har': await (await fetch(`${server.ready.admin}/requests.har`)).text(),
    })

    const made = await from(cwd, 'calls.har', '-o', 'calls.yaml')
    expect(made).toMatchObject({ code: 0, stdout: '' })
    expect(made.stderr).toMatch(/^Recorded 7 calls to .*calls\.yaml\.\n/)
    expect(made.stderr).toMatch(/\d steps, 7 calls: passed/)
    const text = readFileSync(`${cwd}/calls.yaml`, 'utf8')
    expect(text).not.toMatch(/live_|demo-f…/)
    expect(text).toMatch(/advance: 9\ds|advance: 1m3\ds/)

    const [check, play] = await Promise.all(
      ['validate', 'play'].map(word => runCommand(['scenarios', word, 'calls.yaml'], { cwd })),
    )
    expect([check?.code, play?.code]).toEqual([0, 0])
    const again = await serveJson(['-s', 'calls.yaml'], { cwd })
    expect(again.ready.key).toBe('key-1')
    const against = await runCommand(['scenarios', 'play', 'calls.yaml', '--against', again.ready.url], {
      cwd,
    })
    expect(against).toMatchObject({ code: 0 })
    expect(await from(cwd, 'calls.har', '-o', 'calls.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--force replaces it'),
    })
  })

  it('takes no secret out of headers, and keeps numbers beyond all numbers as text', async () => {
    const headers = {
      'Content-Type': 'application/json; token=s3cr3t-a1b2c3',
      Prefer: 'api_key=s3cr3t-d4e5f6',
    }
    const hostile = entry({ method: 'POST', status: 400, text: '{"code":"invalid_body","n":1e400}', headers })
    const postData = { text: '{"name":"Rex","categoryId":1e400}' }
    const cwd = directoryWith({
      'calls.har': archive({ ...hostile, request: { ...hostile.request, postData } }),
    })
    const made = await from(cwd, 'calls.har', '-o', 'calls.yaml')
    expect(made.stderr).toMatch(/2 × a header that holds a secret \(Content-Type, Prefer\)/)
    const text = readFileSync(`${cwd}/calls.yaml`, 'utf8')
    expect(text).not.toContain('s3cr3t')
    expect(text).toContain(`body: '${postData.text}'`)
  })

  it('assumes a key in an archive of a browser, and lists what it leaves out', async () => {
    const cwd = directoryWith({
      'calls.har': archive(
        entry(),
        entry({ url: 'https://cdn.example/app.js' }),
        entry({ url: 'https://other.example/v1/things' }),
        { request: {} },
        entry({ status: 0 }),
        entry({ method: 'OPTIONS', status: 204, text: '' }),
      ),
    })
    const { code, stdout, stderr } = await from(cwd, 'calls.har')
    expect(stderr).toContain('They use the key key-1.')
    expect(stderr).toContain('- 1 × calls of other addresses (other.example)')
    expect(stderr).toContain('- 1 × calls outside /v1')
    expect(stderr).toContain('- 1 × an entry is broken')
    expect(stderr).toContain('- 1 × there is no complete answer')
    expect(stderr).toContain('- 1 × OPTIONS: browsers send it by themselves')
    expect(stdout).toContain('# - 1 × an entry is broken\n')
    expect(stdout).toContain('plan: pro')
    // 50 calls in a window that was opened 30 seconds before.
    expect(stdout).toMatch(
      /minute: 48[\s\S]*Opens the window[\s\S]*advance: 30s[\s\S]*X-RateLimit-Remaining: 250/,
    )
    expect(code).toBe(0)
  })

  it('reads the base URL from --url, and keys from archives that have them', async () => {
    const headers = { Authorization: 'Bearer sk_9876543210abcdef' }
    const cwd = directoryWith({
      'calls.har': archive(entry({ url: 'https://api.example/pet-api/pets?limit=1', headers })),
    })
    expect(await from(cwd, 'calls.har')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--url names another base URL'),
    })
    const made = await from(cwd, 'calls.har', '--url', 'https://api.example/pet-api/')
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('call: GET /v1/pets?limit=1') })
    expect(made.stdout + made.stderr).not.toContain('sk_98')
    expect(made.stderr).not.toContain('assum')
  })

  it('exits with 1 and lists the steps where the service differs', async () => {
    const answer = { 'x-ratelimit-limit': '300', 'x-ratelimit-remaining': '200' }
    const cwd = directoryWith({
      'calls.har': archive(entry(), entry({ at: '2026-01-05T10:00:01.000Z', answer })),
    })
    const { code, stderr } = await from(cwd, 'calls.har')
    expect(stderr).toMatch(
      /✗ GET \/v1\/pets\?limit=1[\s\S]*X-RateLimit-Remaining +200 +249[\s\S]*1 step differs/,
    )
    expect(code).toBe(1)
  })

  it.each<[about: string, content: string, message: string]>([
    ['no JSON', 'hello', 'is no HTTP archive (HAR): it is not JSON (Unexpected token'],
    ['another JSON', '{"log":{"entries":{}}}', 'is no HTTP archive (HAR): it has no list log.entries'],
    ['no calls', archive(), 'has no calls of the API'],
    ['brackets', '['.repeat(1_000_000), 'is no HTTP archive'],
    ['deep entries', `{"log":{"entries":[${'{"a":'.repeat(500_000)}`, 'has no calls of the API'],
  ])('refuses %s', async (_about, content, message) => {
    const cwd = directoryWith({ 'calls.har': content })
    const { code, stderr, stdout } = await from(cwd, 'calls.har', '-o', 'out.yaml')
    expect(stderr).toContain(message)
    expect([code, stdout, existsSync(`${cwd}/out.yaml`)]).toEqual([2, '', false])
  })

  it('leaves out calls whose bodies are as deep as a scenario may be', async () => {
    const deep = `[{"id":1,"name":"Ä","categoryId":7,"x":${'['.repeat(62)}${']'.repeat(62)}}]`
    const cwd = directoryWith({
      'calls.har': archive(entry({ text: deep }), entry()),
      'deep.har': archive(entry({ text: deep })),
    })
    const { code, stderr } = await from(cwd, 'calls.har', '-o', 'out.yaml')
    expect(stderr).toContain('Left out:\n- 1 × bodies nested more than 56 deep\n')
    expect(code).toBe(0)
    expect(await from(cwd, 'deep.har')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Nothing was recorded\. Left out:\n/),
    })
  })

  it('refuses a file of 600 MiB unread, and what is no file', async () => {
    const cwd = directoryWith({ 'calls.har': '{}' })
    truncateSync(`${cwd}/calls.har`, 600 * 2 ** 20)
    expect(statSync(`${cwd}/calls.har`).size).toBe(629_145_600)
    expect(await from(cwd, 'calls.har')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the limit is 67,108,864 (64 MiB)'),
    })
    expect(await from(cwd, '.')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('it is a directory'),
    })
    expect(await from(cwd)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Expected: pet-mock scenarios from FILE.har|FILE.petbox\n'),
    })
  })
})

it('keeps the first calls of traffic that is too large for a scenario', async () => {
  const pets = (page: number) =>
    JSON.stringify(
      Array.from({ length: 100 }, (_, at) => ({ id: page * 100 + at + 1, name: `pet ${at}`, categoryId: 1 })),
    )
  const url = (page: number) => `https://api.example/v1/pets?limit=100&note=${page}`
  const entries = Array.from({ length: 400 }, (_, page) => entry({ url: url(page), text: pets(page) }))
  const cwd = directoryWith({ 'calls.har': archive(...entries) })
  const { stderr } = await from(cwd, 'calls.har', '-o', 'calls.yaml')
  expect(stderr).toMatch(/- \d+ × one scenario cannot hold these calls, too/)
  expect((await runCommand(['scenarios', 'validate', 'calls.yaml'], { cwd })).code).toBe(0)
})
