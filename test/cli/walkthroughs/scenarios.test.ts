import { describe, expect, it } from 'vitest'
import { shippedScenarios } from '../../../src/control/scenario/shipped.ts'
import { directoryWith } from '../../support/directory.ts'
import { listenHttp } from '../../support/listen.ts'
import { runCommand, serveJson, withoutPages } from '../../support/run-command.ts'

const run = (line: string, cwd?: string) => runCommand(line.split(' '), cwd === undefined ? {} : { cwd })

const walkthrough = `extends: rate-limit-exhaustion
walkthrough:
  - { call: GET /v1/pets, repeat: 4, expect: { statuses: { 200: 3, 429: 1 } } }
  - note: The client waits.
    advance: 60s
  - { call: GET /v1/pets, key: demo-pro, expect: { status: 200, headers: { X-RateLimit-Limit: 60 } } }
`

describe('scenarios list', () => {
  it('lists every shipped scenario with its description', async () => {
    const { code, stdout } = await run('scenarios list')
    expect(code).toBe(0)
    const text = stdout.replace(/\s+/g, ' ')
    for (const [name, { title, description }] of shippedScenarios) {
      expect(text).toContain(` ${title} `)
      expect(stdout).toMatch(new RegExp(`^${name} `, 'm'))
      expect(text).toContain(description)
    }
  })

  it('prints JSON', async () => {
    const { scenarios } = JSON.parse((await run('scenarios list --json')).stdout)
    expect(scenarios).toHaveLength(shippedScenarios.size)
    expect(scenarios[0]).toMatchObject({ name: 'after-removal', title: 'After the removal', steps: 2 })
  })
})

describe('scenarios show', () => {
  it('shows the scenario and the default values', async () => {
    const { code, stdout } = await run('scenarios show ban')
    expect(code).toBe(0)
    expect(stdout).toContain('    strikes: 9\n')
    expect(stdout).toContain('seed: 1 # default\n')
    expect(stdout).toContain('  - note: This is the tenth refused call.\n    call: GET /v1/pets\n')
  })

  it('requires one name', async () => {
    for (const line of ['scenarios show', 'scenarios show ban free-plan'])
      expect(await run(line)).toMatchObject({
        code: 2,
        stderr: 'Expected: pet-mock scenarios show NAME|FILE\n',
      })
  })
})

describe('scenarios validate', () => {
  it('shows each complaint with its line and a caret', async () => {
    const cwd = directoryWith({
      'bad.yaml':
        'title: Bad\nextends: base.yaml\nwalkthrough:\n  - call: GET /v1/pets\n    expct: { status: 200 }\n',
      'base.yaml': `# ${'long '.repeat(30)}\nkeys: { demo-free: { used: { minute: 1, day: 2 }, strikes: 1, banned: 90s, limits: { minutes: 9, day: 10, hours: 1 } } }\n`,
      'good.yaml': walkthrough,
    })
    const { code, stdout } = await run('scenarios validate bad.yaml good.yaml', cwd)
    expect(code).toBe(2)
    expect(stdout.split('\n')).toEqual([
      'bad.yaml:5:5: walkthrough[0].expct: unknown field; did you mean expect?',
      '    5 |     expct: { status: 200 }',
      '      |     ^',
      'base.yaml:2:86: keys.demo-free.limits.minutes: unknown field; did you mean minute?',
      '    2 | …: { minute: 1, day: 2 }, strikes: 1, banned: 90s, limits: { minutes: 9, day: 10, hours: 1 } } }',
      `      | ${' '.repeat(61)}^`,
      'base.yaml:2:107: keys.demo-free.limits.hours: unknown field; known are minute, day',
      '    2 | … }, strikes: 1, banned: 90s, limits: { minutes: 9, day: 10, hours: 1 } } }',
      `      | ${' '.repeat(61)}^`,
      '✓ good.yaml, walkthrough of 3 steps',
      'More: docs/scenarios.md#the-file',
      '',
    ])
  })

  it('accepts good files', async () => {
    expect(
      await run('scenarios validate good.yaml', directoryWith({ 'good.yaml': walkthrough })),
    ).toMatchObject({
      code: 0,
    })
  })

  it('prints a line of JSON for each file', async () => {
    const cwd = directoryWith({ 'bad.yaml': 'sed: 1\n', 'good.yaml': walkthrough })
    const { code, stdout } = await run('scenarios validate bad.yaml good.yaml none.yaml --json', cwd)
    expect(code).toBe(2)
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toEqual([
      {
        file: 'bad.yaml',
        fine: false,
        complaints: [
          { file: 'bad.yaml', line: 1, column: 1, message: 'sed: unknown field; did you mean seed?' },
        ],
        warnings: [],
        steps: 0,
      },
      { file: 'good.yaml', fine: true, complaints: [], warnings: [], steps: 3 },
      {
        file: 'none.yaml',
        fine: false,
        problem: expect.stringContaining('there is no file none.yaml'),
        complaints: [],
        warnings: [],
        steps: 0,
      },
    ])
  })

  it('counts a single step', async () => {
    const cwd = directoryWith({ 'one.yaml': 'walkthrough: [{ call: GET /v1/pets }]\n' })
    expect((await run('scenarios validate one.yaml', cwd)).stdout).toBe('✓ one.yaml, walkthrough of 1 step\n')
  })

  it('suggests other commands for the name of a shipped scenario', async () => {
    const { code, stdout } = await run('scenarios validate ban', directoryWith({}))
    expect(code).toBe(2)
    expect(stdout).toMatch(
      /^there is no file ban in .+; for the shipped scenario of this name, use pet-mock scenarios show ban or scenarios play ban\nMore: docs\/scenarios\.md#the-file\n$/,
    )
  })

  it('checks keys against --fixtures', async () => {
    const cwd = directoryWith({ 'mine.yaml': 'key: mine\n', 'f/keys.yaml': 'mine: pro\n' })
    expect(await run('scenarios validate mine.yaml', cwd)).toMatchObject({ code: 2 })
    expect(await run('scenarios validate mine.yaml --fixtures f', cwd)).toMatchObject({ code: 0 })
  })
})

describe('scenarios play', () => {
  it('prints each step, and exits with 0 when all pass', async () => {
    const { code, stdout } = await run('scenarios play ban')
    expect(code).toBe(0)
    expect(stdout).toBe(`
  One strike from a ban (ban)
  The minute is used up and nine calls were refused since. The next one bans the key for five minutes.
  key demo-free, clock frozen at 2026-03-02T09:00:00Z

        This is the tenth refused call.
   1  ✓ GET /v1/pets                                  429
   2  · advance 60s
        The minute is over, but the ban is not.
   3  ✓ GET /v1/pets                                  429
   4  · advance 240s
   5  ✓ GET /v1/pets                                  200

  5 steps, 3 calls: passed

`)
  })

  it('shows differences, expected beside got, and exits with 1', async () => {
    const { code, stdout } = await run(
      'scenarios play mine.yaml',
      directoryWith({ 'mine.yaml': walkthrough }),
    )
    expect(code).toBe(1)
    expect(stdout).toContain(`
   3  ✗ GET /v1/pets, with the key demo-pro           200
                           expected  got
        X-RateLimit-Limit  60        300

  3 steps, 5 calls: 1 step differs
`)
  })

  it('plays every shipped scenario, one line each', async () => {
    const { code, stdout } = await run('scenarios play --all')
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toEqual(
      [...shippedScenarios.keys()].map(name => expect.stringMatching(`^✓ ${name} \\(\\d+ steps?\\)$`)),
    )
  })

  it('of several, prints those that differ in full', async () => {
    const { code, stdout } = await run(
      'scenarios play ban mine.yaml',
      directoryWith({ 'mine.yaml': walkthrough }),
    )
    expect(code).toBe(1)
    expect(stdout).toMatch(/^✓ ban \(5 steps\)\n\n {2}mine\.yaml\n/)
  })

  it('prints JSON', async () => {
    const { code, stdout } = await run(
      'scenarios play mine.yaml --json',
      directoryWith({ 'mine.yaml': walkthrough }),
    )
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      scenario: 'mine.yaml',
      asTold: false,
      played: [
        { outcome: '200 ×3, 429' },
        {},
        { differences: [{ what: 'X-RateLimit-Limit', expected: '60', got: '300' }] },
      ],
    })
  })

  it.each([
    ['scenarios play', 'Expected: pet-mock scenarios play NAME|FILE…, or --all'],
    ['scenarios play empty.yaml', 'empty.yaml has no walkthrough to play'],
    ['scenarios play notes.yaml', 'notes.yaml has no walkthrough to play'],
    [
      'scenarios play bad.yaml',
      'bad.yaml:1:17: walkthrough[0]: call is missing: expected a method and a path without a #, such as GET /v1/pets?limit=5',
    ],
    [
      'scenarios play bam',
      /^bam: "bam" is neither a shipped scenario nor a file\. Did you mean ban\? Shipped scenarios: /,
    ],
    ['scenarios play ban --aganst x', '--aganst is not a flag of this command; did you mean --against?'],
    [
      'scenarios play ban --against 7387',
      '--against: expected a URL, such as http://127.0.0.1:7387/v1, found "7387"',
    ],
    [
      'scenarios play ban --max-time long',
      '--max-time: expected a duration, such as 90s, 15m or 250ms, found "long"',
    ],
    ['scenarios plya', '"plya" is not a command of scenarios; did you mean play?'],
    [
      'scenarios list now',
      '"now" is not a command of scenarios; choose from list, show, use, validate, play, from',
    ],
    ['senarios', '"senarios" is not a command; did you mean scenarios?'],
  ])('%s: exit code 2', async (line, complaint) => {
    const cwd = directoryWith({
      'empty.yaml': 'seed: 1\n',
      'notes.yaml': 'walkthrough: [{ note: x }]\n',
      'bad.yaml': 'walkthrough: [  {}]\n',
    })
    const { code, stdout, stderr } = await run(line, cwd)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    const [said] = stderr.split('\n')
    if (typeof complaint === 'string') expect(said).toBe(complaint)
    else expect(said).toMatch(complaint)
  })
})

/** Serves the API without an admin plane. */
async function serveWithoutAdmin(url: string): Promise<string> {
  const { origin } = await listenHttp(async ({ url: path = '/', method = 'GET', headers }, response) => {
    const { authorization = '' } = headers
    const passed = path.startsWith('/v1/')
      ? await fetch(new URL(path, url), { method, headers: { authorization } })
      : new Response('', { status: 404 })
    const { connection: _, 'transfer-encoding': __, ...passedHeaders } = Object.fromEntries(passed.headers)
    response.writeHead(passed.status, passedHeaders)
    response.end(await passed.text())
  })
  return origin
}

describe('scenarios play --against', () => {
  it('plays against a server and moves its clock', async () => {
    const { ready } = await serveJson(['-s', 'rate-limit-exhaustion'])
    const line = `scenarios play rate-limit-exhaustion --against ${ready.url} --key demo-free+x`
    const { code, stdout } = await run(line)
    expect(stdout.split('\n').slice(3)).toEqual([
      `  against ${new URL(ready.url).origin}, which must be at the start of this scenario; pet-mock moves its clock`,
      '',
      '   1  ✓ GET /v1/pets ×3                               200 ×3',
      '   2  – GET /v1/pets                                  429',
      "        Retry-After is not judged: it depends on the time, and the server's clock runs",
      '   3  · advance 60s',
      '   4  ✓ GET /v1/pets                                  200',
      '',
      '  4 steps, 5 calls: passed, 1 step not wholly judged',
      '',
      '',
    ])
    expect(code).toBe(0)
  })

  it('stops at a wait that is too long, without an admin plane', async () => {
    const { ready } = await serveJson(['-s', 'rate-limit-exhaustion'])
    const origin = await serveWithoutAdmin(ready.url)
    const line = `scenarios play rate-limit-exhaustion --against ${origin}/v1 --key demo-free+x --max-time 59s`
    const { code, stdout } = await run(line)
    expect(code).toBe(1)
    expect(stdout.split('\n').slice(3)).toEqual([
      `  against ${origin}, which must be at the start of this scenario; pet-mock waits in real time, at most 59s (it has no admin plane)`,
      '',
      '   1  ✓ GET /v1/pets ×3                               200 ×3',
      '   2  – GET /v1/pets                                  429',
      "        Retry-After is not judged: it depends on the time, and the server's clock runs",
      '   3  ✗ advance 60s',
      '        cannot be played: its clock cannot be moved, and a wait of 1m would exceed --max-time 59s: raise --max-time',
      '',
      '  2 of 4 steps, 4 calls: 2 steps not played, 1 step not wholly judged',
      '',
      '',
    ])
  })

  it('sends the admin token of the flag or the environment, and makes changes', async () => {
    const { ready } = await serveJson(['-s', 'plan-upgrade', '--admin-token', 'secret'])
    const line = `scenarios play plan-upgrade --against ${ready.url} --json`
    const play = async (key: string, args: string[], env = {}) => {
      const { code, stdout } = await runCommand([...line.split(' '), '--key', key, ...args], { env })
      return { code, asTold: JSON.parse(stdout).asTold }
    }
    const fine = { code: 0, asTold: true }
    expect(await play('demo-free+a', ['--admin-token', 'secret'])).toEqual(fine)
    expect(await play('demo-free+b', [], { PET_MOCK_ADMIN_TOKEN: 'secret' })).toEqual(fine)
    expect(await play('demo-free+c', [])).toEqual({ code: 1, asTold: false })
  })

  it.each([
    ['--key demo-pro', '--key needs --against URL'],
    ['--admin-token x', '--admin-token needs --against URL'],
    ['--max-time 5s', '--max-time needs --against URL'],
  ])('%s requires it', async (flag, complaint) => {
    const { code, stderr } = await run(`scenarios play ban ${flag}`)
    expect({ code, stderr: withoutPages(stderr) }).toEqual({ code: 2, stderr: `${complaint}\n` })
  })

  it('reports a server that cannot be reached', async () => {
    const { code, stderr } = await run('scenarios play ban --against http://127.0.0.1:9')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: '--against: http://127.0.0.1:9 cannot be reached (connect ECONNREFUSED 127.0.0.1:9)\n',
    })
  })
})

describe('help', () => {
  it('of the group, also without a command', async () => {
    const { code, stdout } = await run('scenarios')
    expect({ code, stdout }).toEqual({ code: 0, stdout: (await run('scenarios --help')).stdout })
    for (const name of ['list', 'show', 'use', 'validate', 'play', 'from'])
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
  })

  it('of a command, with its words, flags, examples and exit codes', async () => {
    const { code, stdout } = await run('scenarios play --help')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^pet-mock scenarios play \[NAME\|FILE…\] \[flags\]\n/)
    for (const flag of ['--all', '--against', '--key', '--admin-token', '--max-time', '--json', '--fixtures'])
      expect(stdout).toContain(flag)
    expect(stdout).toContain('Exit codes: 0')
    expect(stdout).not.toContain('[boolean]')
  })
})
