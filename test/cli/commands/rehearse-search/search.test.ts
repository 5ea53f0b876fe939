import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { directoryWith } from '../../../support/directory.ts'
import { runCommand, spawnCommand } from '../../../support/run-command.ts'

/** Fails with the body of the first response that is not as it should be. */
const fragile = `
const response = await fetch(process.env.PET_MOCK_URL + '/pets', {
  headers: { Authorization: 'Bearer ' + process.env.PET_MOCK_KEY },
})
const text = await response.text()
if (!response.ok) throw new Error(text)
`

function clientWith(program: string) {
  const cwd = directoryWith({ 'client.mjs': program })
  const command = ['--', process.execPath, 'client.mjs']
  return {
    cwd,
    search: (...flags: string[]) => runCommand(['rehearse', '--search', ...flags, ...command], { cwd }),
  }
}

const onlyStatus = ['--only', 'status', '--confirm', '1', '--max-runs', '60']

describe('rehearse --search', () => {
  test('writes the smallest situation, and repeats it with the seed and the path', async () => {
    const { cwd, search } = clientWith(fragile)
    const found = await search(...onlyStatus, '--report', 'search.json', '--report', 'search.html')
    expect(found).toMatchObject({ code: 1, stderr: '' })
    expect(found.stdout).toMatch(
      /^Without a disturbance: exit code 0 after \d+\.\d s, 1 call\nFound in \d+ runs: /,
    )
    expect(found.stdout).toMatch(/\n {2}│ Error: \{"code":/)
    const text = readFileSync(join(cwd, 'breaks.yaml'), 'utf8')
    const words = `${process.execPath} client.mjs`
    const again = `pet-mock exec --scenario breaks.yaml -- ${words}`
    expect(text).toBe(
      `# Found by pet-mock rehearse --search: exit code 1 in 2 of 2 runs. Again: ${again}
rules: [ { then: { status: 503 }, times: 1 } ]
clock: { scale: 30 }
rehearsal: { expects: success }
walkthrough:
  - { call: GET /v1/pets, expect: { status: 503 } }
`,
    )
    const [report, conduct] = JSON.parse(readFileSync(join(cwd, 'search.json'), 'utf8')).reports
    expect(report).toMatchObject({ judge: 'search', findings: [{ id: 'breaks', severity: 'error' }] })
    const lines = report.findings[0].evidence.map(({ what }: { what: string }) => what)
    expect(`${lines.join('\n')}\n`).toBe(text)
    expect(conduct).toMatchObject({ judge: 'conduct', calls: 1 })
    expect(readFileSync(join(cwd, 'search.html'), 'utf8')).toContain('Search for what breaks the client')
    const [, path = ''] = /--seed 1 --path ([\d:]+)/.exec(found.stdout) ?? []
    // The file is replaced: a search wrote it.
    const repeated = await search(...onlyStatus, '--path', path)
    expect(repeated).toMatchObject({ code: 1, stdout: expect.stringContaining(text) })
  })

  test('shows the calls of the client up to the one that breaks it', async () => {
    const { search } = clientWith(`
      const send = init => fetch(process.env.PET_MOCK_URL + '/pets?limit=2', {
        headers: { Authorization: 'Bearer ' + process.env.PET_MOCK_KEY, 'Content-Type': 'application/json' },
        ...init,
      })
      for (const _ of [1, 2]) await (await send()).text()
      const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
      const reply = await send({ method: 'POST', body })
      if (!reply.ok) throw new Error(await reply.text())
    `)
    const found = await search('--only', 'minute', '--confirm', '1', '--max-runs', '60')
    expect(found.stdout).toContain(
      [
        'walkthrough:',
        '  - { call: GET /v1/pets?limit=2, repeat: 2, expect: { status: 200 } }',
        '  - { call: POST /v1/pets?limit=2, body: { name: Rex, categoryId: 1 }, expect: { status: 429, headers: { Retry-After: 60 } } }',
      ].join('\n'),
    )
    expect(found.code).toBe(1)
  })

  test('looks for one finding, whatever the exit code', async () => {
    const { search } = clientWith(`${fragile.replace('throw', 'await fetch(response.url); throw')}`)
    const found = await search('--finding', 'missing-key', ...onlyStatus)
    expect(found).toMatchObject({ code: 1, stdout: expect.stringContaining('missing-key in 2 of 2 runs') })
    expect(found.stdout).toContain('exec --scenario breaks.yaml --fail-on missing-key --')
    expect(found.stdout).toContain('rehearsal: { conduct: { failOn: warning } }')
  })

  test('finds a client that hangs', async () => {
    const { search } = clientWith(fragile.replace('throw new Error(text)', 'setInterval(() => {}, 1_000)'))
    const found = await search(...onlyStatus, '--timeout', '4s')
    expect(found).toMatchObject({ code: 1, stdout: expect.stringContaining('hung in 2 of 2 runs') })
  })

  test.each([
    ['fails', 'throw new Error("as always")', 'fails without any disturbance: exit code 1.', 'as always'],
    ['makes no calls', 'console.log("hello")', 'makes no calls.', 'hello'],
  ])('searches nothing for a client that %s', async (_what, program, reason, output) => {
    const { search } = clientWith(program)
    const { code, stdout, stderr } = await search()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`${process.execPath} client.mjs ${reason}`)
    expect(stderr).toContain(output)
  })

  test('says when nothing was found, and when the time was over', async () => {
    const { search } = clientWith(fragile)
    const nothing = await search('--only', 'plan')
    expect(nothing).toMatchObject({ code: 0, stderr: '' })
    expect(nothing.stdout).toMatch(
      /Nothing found in 2 runs \(--seed 1\)\.\nEvery situation .* was tried\.\nEvery part was tried\.\n$/,
    )
    const over = await search('--max-time', '1ms')
    expect(over).toMatchObject({ code: 0, stdout: expect.stringMatching(/Nothing found in 0 runs/) })
    expect(over.stdout).toMatch(
      /It ended because the time of --max-time was over\.\nNever tried: plan, minute, /,
    )
    const few = await search('--only', 'plan,clock,ban,delay', '--max-runs', '5')
    expect(few.stdout).toContain('Nothing found in 2 runs')
    expect(few.stdout).toContain('The search used all runs of --max-runs')
    expect(few.stdout).toMatch(/\nNever tried: [a-z, ]+\.\n$/)
  })

  test('lists every mistake, and replaces no file that is not its own', async () => {
    const cwd = directoryWith({ 'breaks.yaml': 'title: mine\n' })
    const flags = ['--finding', 'early-retri', '--fail-on', 'warning', '--only', 'plan', '--skip', 'plan']
    const refused = await runCommand(['rehearse', '--search', ...flags, '--max-runs', '3'], { cwd })
    expect(refused.code).toBe(2)
    expect(refused.stderr.trimEnd().split('\n')).toEqual([
      'Expected: pet-mock rehearse -- COMMAND, such as pet-mock rehearse -- npm test',
      expect.stringMatching(/^--finding: no finding has the id "?early-retri"?.*did you mean/),
      expect.stringMatching(/^--finding and --fail-on exclude each other/),
      'No part is left: --skip names them all.',
      '--max-runs 3 is too few: a failure is repeated 3 times (--confirm).',
      'breaks.yaml already exists, and no search wrote it: --force replaces it',
    ])
    const mixed = ['--search', '--sunset', '--repeat', '2', '--only', 'minuet']
    expect(await runCommand(['rehearse', ...mixed, '--', 'node'], { cwd: directoryWith({}) })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^--search and --sunset exclude each other\.\n--search and --repeat exclude each other\.\n--only: no part is named "?minuet"?.*did you mean "?minute"?/,
      ),
    })
    const unsearched = await runCommand(['rehearse', '--max-runs', '9', '--', 'node'], {
      cwd: directoryWith({}),
    })
    expect(unsearched).toMatchObject({ code: 2, stderr: '--max-runs needs --search\n' })
    expect(
      await runCommand(['rehearse', '--search', '--', 'no-such-command'], { cwd: directoryWith({}) }),
    ).toMatchObject({
      code: 127,
    })
  })

  test('ends its clients when it is stopped', async () => {
    const { cwd } = clientWith(fragile)
    const searching = spawnCommand(['rehearse', '--search', '--', process.execPath, 'client.mjs'], { cwd })
    await searching.until(/Without a disturbance/)
    searching.child.kill('SIGTERM')
    expect(await searching.ended).toMatchObject({ code: 143, signal: null })
  })
})
