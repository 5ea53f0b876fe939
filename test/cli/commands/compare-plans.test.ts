import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { archive, archiveEntry } from '../../support/archives.ts'
import { directoryWith } from '../../support/directory.ts'
import { runCommand, serveJson } from '../../support/run-command.ts'

const replay = (cwd: string, ...words: readonly string[]) => runCommand(['compare-plans', ...words], { cwd })

const burst = (calls: number) => Array.from({ length: calls }, (_, index) => archiveEntry({ at: index * 10 }))

describe('replay', () => {
  it('reports each plan, and what would make a smaller one do', async () => {
    const cwd = directoryWith({ 'calls.har': archive(burst(65)) })
    const { code, stdout, stderr } = await replay(cwd, 'calls.har')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatchInlineSnapshot(`
      "Replay of calls.har
      Calls: 65 calls, counted as those of one caller (--caller-by all)
      Time: 2026-03-02T08:00:00Z to 2026-03-02T08:00:00.640Z
      Demand: at most 65 in a minute and 65 in a day, if nothing is refused

         Plan        Refused  First refusal  Blocked  Bans  In a minute    In a day
      ✕  Free              5  08:00:00           59s     0        60/60    60/1,000
      ✓  Pro               0  –                    –     0       65/300   65/10,000
      ✓  Business          0  –                    –     0     65/1,000  65/100,000
      ✓  Enterprise        0  –                    –     0     65/5,000  65/500,000

      Smallest plan that serves every call: Pro

      What would make Free do
        ✓ Suffices: identical GETs within 10s from a cache: 0 refused, 64 calls fewer.
        ✓ Suffices: spread over the minute, one call every 1s: 0 refused, a call waits up to 1m3s.
      "
    `)
  })

  it('says that a recording has refused calls', async () => {
    const cwd = directoryWith({
      'calls.har': archive([archiveEntry({}), archiveEntry({ at: 9, status: 429 })]),
    })
    const { code, stdout } = await replay(cwd, 'calls.har', '--expect', 'free')
    expect(code).toBe(0)
    expect(stdout).toContain(
      'The recording has 1 refused call. A replay begins with all calls of the plan left.\n',
    )
  })

  it('fails if an expected plan refuses a call, and writes reports in every form', async () => {
    const cwd = directoryWith({ 'calls.har': archive(burst(65)) })
    const names = ['r.json', 'r.xml', 'r.md', 'r.html']
    const flags = ['--plans', 'free,pro', ...names.flatMap(name => ['--report', name])]
    const failing = await replay(cwd, 'calls.har', ...flags, '--expect', 'free')
    expect(failing.code).toBe(1)
    expect(failing.stdout).toMatch(
      /\nReports written: r\.json, r\.xml, r\.md, r\.html\.\nFailing findings: free\. More: docs\/findings\.md\n$/,
    )
    const [json = '', xml = '', markdown, html = ''] = names.map(name =>
      readFileSync(`${cwd}/${name}`, 'utf8'),
    )
    expect(JSON.parse(json)).toMatchObject({
      failed: true,
      reports: [
        {
          judge: 'replay',
          smallest: 'pro',
          plans: [
            { plan: 'free', refused: 5 },
            { plan: 'pro', refused: 0 },
          ],
          findings: [{ id: 'free', severity: 'error', count: 5 }],
          flights: [{ title: 'the plan Free', calls: { length: 65 } }, {}],
        },
      ],
    })
    expect(xml).toMatch(/<testsuite name="replay" tests="2" failures="1"/)
    expect(markdown).toContain('Pro is the smallest plan that suffices')
    expect(html.match(/<svg/g)).toHaveLength(2)
    const passing = await replay(cwd, 'calls.har', '--expect', 'pro', '--json')
    expect([passing.code, JSON.parse(passing.stdout).failed]).toEqual([0, false])
  })

  it('reads an archive as far as it goes, and lists what it skips', async () => {
    const strange = [
      ...burst(3).toReversed(),
      archiveEntry({ url: 'https://cdn.example/app.js' }),
      archiveEntry({ url: 'https://other.example/v1/pets' }),
      archiveEntry({ method: 'OPTIONS' }),
      archiveEntry({ url: '/v1/unknown', status: 404 }),
      archiveEntry({ status: 401 }),
      archiveEntry({ status: 0 }),
      archiveEntry({ fields: { _fromCache: 'disk' } }),
      archiveEntry({ fields: { cache: { afterRequest: null } } }),
      ...['', 'NaN', '-000001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'].map(at => archiveEntry({ at })),
      archiveEntry({ fields: { startedDateTime: 17, request: null } }),
      'text',
      null,
    ]
    const text = `${archive(strange).slice(0, -3)},{"__proto__":{"request":1}},{"request":${'['.repeat(5_000)}`
    const cwd = directoryWith({ 'calls.har': text })
    const { code, stdout } = await replay(cwd, 'calls.har', '--json')
    expect(code).toBe(0)
    const { report } = JSON.parse(stdout)
    expect(report.calls).toBe(5)
    expect(report.skipped[0]).toEqual({ reason: 'calls outside /v1', count: 1, examples: [] })
    expect(report.notes).toMatchInlineSnapshot(`
      [
        "Out of order: 2 calls. The replay sorts all calls by time.",
        "Of unknown operations: 1 call. They use quota as others do (A03).",
        "Without an answer: 1 call. The replay makes them, too.",
        "Skipped: 1 × calls outside /v1.",
        "Skipped: 2 × answered by the browser's cache.",
        "Skipped: 4 × an entry has no valid date (GET /v1/pets, …).",
        "Skipped: 4 × an entry is broken.",
        "Skipped: 1 × the archive is cut off in the middle of an entry.",
        "Skipped: 1 × calls of other addresses (other.example).",
        "Skipped: 1 × OPTIONS, which uses no quota (OPTIONS /v1/pets).",
        "Skipped: 1 × calls without a valid key, which use no quota (GET /v1/pets).",
      ]
    `)
  })

  it('reads the log, the journal and the archive of a server alike, with a quota for each key', async () => {
    const server = await serveJson(['--add-key', 'live_4f9a8c71b2e3=pro'])
    const call = (key: string, init: RequestInit = {}) =>
      fetch(`${server.ready.url}/pets?limit=1`, { ...init, headers: { Authorization: `Bearer ${key}` } })
    for (let made = 0; made < 62; made += 1) await call('demo-free')
    for (let made = 0; made < 61; made += 1) await call('live_4f9a8c71b2e3')
    await call('unknown-key')
    const get = async (path: string) => (await fetch(`${server.ready.admin}/${path}`)).text()
    await server.until(/"status":401/)
    const cwd = directoryWith({
      'journal.json': await get('requests'),
      'calls.har': await get('requests.har'),
      'server.log': `> npm start\n${server.stdout()}`,
    })
    for (const file of ['journal.json', 'calls.har', 'server.log']) {
      const { stdout, stderr } = await replay(cwd, file, '--caller-by', 'key', '--json')
      expect(`${stdout}${stderr}`).not.toContain('live_4f9a8c71b2e3')
      const { report } = JSON.parse(stdout)
      expect([file, report.callers, report.calls]).toEqual([file, 2, 123])
      const [free, pro] = report.plans
      expect([file, free.refused, free.peak.minute, pro.refused]).toEqual([file, 3, 60, 0])
      expect(report.skipped).toContainEqual(
        expect.objectContaining({ reason: 'calls without a valid key, which use no quota', count: 1 }),
      )
    }
    const all = await replay(cwd, 'server.log', '--json')
    expect(JSON.parse(all.stdout).report).toMatchObject({ callers: 1, demand: { minute: 123 } })
  })

  it('reads standard input', async () => {
    const { code, stdout } = await runCommand(['compare-plans', '-', '--json'], { input: archive(burst(61)) })
    expect([code, JSON.parse(stdout).report.smallest]).toEqual([0, 'pro'])
  })

  it('takes plans of a scenario', async () => {
    const cwd = directoryWith({
      'calls.har': archive(burst(12)),
      'ours.yaml': 'plans: { team: { minute: 10, day: 100 } }\nbans: off\n',
    })
    const { code, stdout } = await replay(
      cwd,
      'calls.har',
      '--scenario',
      'ours.yaml',
      '--plans',
      'team',
      '--json',
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout).report).toMatchObject({ smallest: null, plans: [{ plan: 'team', refused: 2 }] })
  })

  it.each<[words: readonly string[], said: RegExp]>([
    [[], /^Expected: pet-mock compare-plans FILE$/],
    [
      ['calls.har', '--plans', 'fre', '--expect', 'gold'],
      /^--plans: there is no plan "fre"; did you mean free\?\n--expect: there is no plan "gold"; the plans are free, pro, business, enterprise$/,
    ],
    [['missing.har'], /^missing\.har cannot be read \(no such file\)$/],
    [['other.json'], /^other\.json is neither an HTTP archive/],
    [['utf16.log'], /^utf16\.log cannot be read \(the file is UTF-16: save it as UTF-8\)$/],
    [['empty.har'], /^empty\.har has no calls of the API under \/v1; .*\n- 1 × calls outside \/v1$/],
    [['calls.har', '--caller-by', 'key'], /^--caller-by key: the recording has no API keys/],
    [['calls.har', '--caller-by', 'connection'], /has no connections$/],
    [['large.har'], /^large\.har cannot be read \(it has 268,435,457 bytes; the limit is/],
  ])('%j is wrong usage', async (words, said) => {
    const cwd = directoryWith({
      'calls.har': archive(burst(2)),
      'other.json': '{"a":[]}',
      'empty.har': archive([archiveEntry({ url: 'https://x.example/' })]),
      'large.har': '',
    })
    truncateSync(`${cwd}/large.har`, 256 * 2 ** 20 + 1)
    writeFileSync(`${cwd}/utf16.log`, '\ufeff{"event":"ready"}', 'utf16le')
    const { code, stdout, stderr } = await replay(cwd, ...words)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.trim()).toMatch(said)
  })
})
