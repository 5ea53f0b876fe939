import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { hastyClient } from '../../support/hasty-client.ts'
import { readXml } from '../../support/read-xml.ts'
import { needPosix } from '../../support/requirements.ts'
import { type RunOptions, runHere } from '../../support/run-command.ts'

/** Runs lines of a client below exec, in the scenario with three calls left. */
function fly(lines: string, flags: readonly string[] = [], options?: RunOptions) {
  const program = [process.execPath, '--input-type=module', '-e', `${hastyClient}${lines}`]
  return runHere(['exec', '-s', 'rate-limit-exhaustion', ...flags, '--', ...program], options)
}

const early = 'for (let made = 0; made < 5; made += 1) await call("/pets?limit=5")'

describe('a client that retries too early', () => {
  it('gives exit code 1, and is printed with its call', async () => {
    const { code, stdout, stderr } = await fly(early)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^Conduct of the client: 1 error\n\n✕ error {2}early-retry\n {2}\d+ refused /)
    expect(stderr).toMatch(
      /GET \/v1\/pets\?limit=5 → 429 {2}[\d.]+ s before Retry-After was over .* #5 · demo-f…\n/,
    )
    expect(stderr).not.toContain('demo-free')
  })

  it.each<[flags: string, code: number]>([
    ['--fail-on never', 0],
    ['--fail-on early-retry=never', 0],
    ['--fail-on never --fail-on early-retry', 1],
    ['--fail-on never,early-retry', 1],
    ['--fail-on warning', 1],
  ])('%s makes exit code %d', async (flags, code) => {
    const ended = await fly(early, flags.split(' '))
    expect(ended).toMatchObject({ code, stderr: expect.stringContaining('early-retry') })
    expect(ended.stderr).toMatch(
      code === 1
        ? /\nFailing findings: (?!none).+\. More: docs\/findings\.md\n$/
        : /\nFailing findings: none\.\n$/,
    )
  })

  it("keeps the command's own exit code if that is not 0", async () => {
    expect(await fly(`${early}; process.exitCode = 7`)).toMatchObject({ code: 7 })
  })

  it('is an annotation in GitHub Actions', async () => {
    const { stderr } = await fly(early, [], { env: { GITHUB_ACTIONS: 'true' } })
    expect(stderr).toMatch(
      /^::error title=pet-mock conduct%3A early-retry::1 refused call .*GET \/v1\/pets\?limit=5 → 429/m,
    )
  })
})

it('says that nothing was judged if no call arrived', async () => {
  const folder = directoryWith({})
  const report = join(folder, 'r.xml')
  const words = ['exec', '--report', report, '--', process.execPath, '-e', '0']
  const ended = await runHere(words)
  const reason = 'the command made no call. It finds the base URL in PET_MOCK_URL.\n'
  expect(ended).toMatchObject({ code: 0, stderr: `pet-mock: Nothing was judged: ${reason}` })
  expect(readFileSync(report, 'utf8')).toMatch(/<testsuite name="conduct" [^>]*skipped="1\d"/)
  expect(await runHere(['exec', '--fail-on', 'unjudged', ...words.slice(3)])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(reason),
  })
})

it('says so if no call was for the API', async () => {
  const lines = 'fetch(new URL("/pets", process.env.PET_MOCK_URL))'
  expect(await runHere(['exec', '--', process.execPath, '-e', lines])).toMatchObject({
    code: 0,
    stderr:
      'pet-mock: Nothing was judged: the command called no path of the API. The base URL in PET_MOCK_URL ends in /v1: add paths to the whole of it.\n',
  })
})

it('prints nothing about a client without findings', async () => {
  const lines = `for (let made = 0; made < 4; made += 1) await call('/pets')
    await fetch(admin + '/clock/advance', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"by":"60s"}' })
    await call('/pets')`
  expect(await fly(lines)).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
})

test.each([2, 15, 40])('a loop of %d calls with fetch never passes a ban in silence', async count => {
  const loop = `const { PET_MOCK_URL, PET_MOCK_KEY } = process.env
    for (let made = 0; made < ${count}; made += 1)
      await (await fetch(PET_MOCK_URL + '/pets', { headers: { Authorization: 'Bearer ' + PET_MOCK_KEY } })).text()`
  const args = ['exec', '-s', 'ban', '--', process.execPath, '--input-type=module', '-e', loop]
  const { code, stderr } = await runHere(args)
  expect(stderr).toMatch(
    code === 0 ? /\nFailing findings: none\. Not judged: \d+ calls?\.\n$/ : /✕ error {2}call-during-ban/,
  )
})

describe('a client without findings, but with calls that were not judged', () => {
  /** Each call has a connection of its own: another process may have made it. */
  const apart = `for (let made = 0; made < 5; made += 1) {
    agent.destroy()
    await call('/pets')
  }`
  const note =
    /\n– not judged {2}unjudged\n {2}1 call could not be judged\.\n[\s\S]*\nFailing findings: none\. Not judged: 1 call\.\n$/

  it.each<[where: string, options: RunOptions]>([
    ['a terminal', {}],
    ['GitHub Actions', { env: { GITHUB_ACTIONS: 'true' } }],
  ])('gets the report for it in %s', async (_, options) => {
    expect(await fly(apart, [], options)).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: expect.stringMatching(note),
    })
  })

  it('gets it beside --report, too', async () => {
    const cwd = directoryWith({})
    const { stderr } = await fly(apart, ['--report', 'a.json'], { cwd })
    const { reports } = JSON.parse(readFileSync(join(cwd, 'a.json'), 'utf8'))
    expect(stderr).toMatch(note)
    expect(reports[0]).toMatchObject({
      unjudged: [{ count: 1, what: 'call' }],
      findings: [],
    })
  })

  it('fails with --fail-on unjudged, and not by another level', async () => {
    for (const [flags, code] of [
      [['--fail-on', 'unjudged'], 1],
      [['--fail-on', 'never', '--fail-on', 'unjudged'], 1],
      [['--fail-on', 'warning'], 0],
    ] as const) {
      const result = await fly(apart, flags)
      expect(result.code, flags.join(' ')).toBe(code)
      expect(result.stderr).toContain(code === 1 ? 'Failing findings: unjudged.' : 'Failing findings: none.')
    }
  })

  it('gets no line about charts that nobody asked for', async () => {
    const lines = `for (let key = 0; key < 15; key += 1) await call('/pets', 'demo-free+w' + key)`
    expect(await fly(lines)).toMatchObject({ code: 0, stderr: '' })
  })
})

it('prints a warning, which fails with --fail-on only', async () => {
  const deprecated = `await call('/pets/1')`
  expect(await fly(deprecated)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('from shop/1.2 (user-agent)'),
  })
  expect(await fly(deprecated, ['--fail-on', 'warning'])).toMatchObject({ code: 1 })
})

it('judges all calls, also after a reset, of a dropped sandbox and beyond the journal', async () => {
  const lines = `${early}
    await fetch(admin + '/reset', { method: 'POST' })
    for (let made = 0; made < 5; made += 1) await call('/pets?limit=6', 'demo-free+w1')
    await fetch(admin + '/sandboxes?sandbox=w1', { method: 'DELETE' })
    for (let made = 0; made < 1100; made += 1) await call('/pets?limit=7', 'demo-enterprise')`
  const cwd = directoryWith({})
  const { code } = await fly(lines, ['--report', 'conduct.json'], { cwd })
  const { reports } = JSON.parse(readFileSync(join(cwd, 'conduct.json'), 'utf8'))
  expect(code).toBe(1)
  expect(reports[0]).toMatchObject({
    calls: 1_110,
    notes: [],
    findings: [{ id: 'early-retry', count: 2 }],
  })
  expect(reports[0].findings[0].evidence.map(({ what }: { what: string }) => what)).toEqual([
    'GET /v1/pets?limit=5 → 429',
    'GET /v1/pets?limit=6 → 429',
  ])
}, 30_000)

describe('reports', () => {
  needPosix('pipes')

  it('are written by their extensions, into new directories', async () => {
    const cwd = directoryWith({ step_summary_1: 'Before.\n' })
    const files = ['out/a.json', 'out/a.xml', 'out/a.md', 'out/A.HTML', join(cwd, 'step_summary_1')]
    const { code, stderr } = await fly(
      early,
      files.flatMap(file => ['--report', file]),
      { cwd },
    )
    expect(stderr).toMatch(
      /\n\nReports written: out\/a\.json, out\/a\.xml, .*step_summary_1\.\nFailing findings: early-retry\. More: docs\/findings\.md\n$/,
    )
    const [json = '', xml = '', md = '', html = '', summary = ''] = files.map(file =>
      readFileSync(file.startsWith(cwd) ? file : join(cwd, file), 'utf8'),
    )
    expect(code).toBe(1)
    expect(JSON.parse(json)).toMatchObject({ failed: true, reports: [{ judge: 'conduct' }] })
    expect(readXml(xml).attributes).toMatchObject({ failures: '1' })
    expect(md).toMatch(/^## Conduct of the client: 1 error\n/)
    expect(html).toMatch(/^<!doctype html>[\s\S]*early-retry[\s\S]*<svg /)
    expect(summary).toBe(`Before.\n${md}`)
    for (const text of [json, xml, md, html]) expect(text).not.toContain('demo-free')
  })

  it('are written without findings, too', async () => {
    const cwd = directoryWith({})
    const ended = await fly('await call("/pets")', ['--report', 'a.xml'], { cwd })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(readXml(readFileSync(join(cwd, 'a.xml'), 'utf8')).attributes).toMatchObject({ failures: '0' })
  })

  it('that cannot be written give exit code 1, at once', async () => {
    const cwd = directoryWith({ file: '' })
    spawnSync('mkfifo', [join(cwd, 'pipe.json')])
    mkdirSync(join(cwd, 'directory.json'))
    symlinkSync('/dev/full', join(cwd, 'full.json'))
    const names = ['file/a.json', 'pipe.json', 'directory.json', 'full.json', 'new/place/fine.json']
    const reports = names.flatMap(name => ['--report', name])
    const ended = await fly('await call("/pets")', reports, { cwd })
    expect(ended).toMatchObject({ code: 1 })
    expect(ended.stderr.split('\n')).toEqual([
      expect.stringMatching(/^file\/a\.json cannot be written \(/),
      'pipe.json cannot be written (it is a pipe, not a file).',
      'directory.json cannot be written (it is a directory).',
      'full.json cannot be written (it is a device, not a file).',
      '',
    ])
    expect(JSON.parse(readFileSync(join(cwd, 'new/place/fine.json'), 'utf8'))).toMatchObject({
      failed: false,
    })
    expect(await fly('process.exit(7)', reports, { cwd })).toMatchObject({ code: 7 })
  })
})

it.each<[flags: string, told: string]>([
  ['--report a.txt', '--report: expected a file name that ends in .json, .xml, .md, .html, found "a.txt"'],
  ['--fail-on erly-retry', '--fail-on: no finding has the id "erly-retry"; did you mean early-retry?'],
  ['--fail-on error,never', '--fail-on: expected one of error, warning, never, found error and never'],
  [
    '--fail-on Error',
    '--fail-on: expected error, warning, never or the id of a finding, such as early-retry or early-retry=never, found "Error"',
  ],
])('exit code 2, and nothing is run: %s', async (flags, told) => {
  const ended = await fly('console.log("run")', flags.split(' '))
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: `${told}\nMore: docs/findings.md\n` })
})
