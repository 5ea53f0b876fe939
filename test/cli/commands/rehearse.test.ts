import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { expectGone } from '../../support/processes.ts'
import { runCommand, spawnCommand } from '../../support/run-command.ts'

const node = (code: string) => [process.execPath, '--input-type=module', '-e', code]

/** A client that makes `calls` calls. After a refusal, it waits as long as Retry-After says. */
const polite = (calls = 2) => `
  const { PET_MOCK_URL: url, PET_MOCK_KEY: key, PET_MOCK_SITUATION: situation } = process.env
  const call = async () => {
    for (let tries = 0; tries < 20; tries += 1) {
      const reply = await fetch(url + '/pets?limit=1', { headers: { Authorization: 'Bearer ' + key } })
      await reply.arrayBuffer()
      if (reply.ok) return
      const wait = Number(reply.headers.get('retry-after') ?? 0.3)
      await new Promise(resolve => setTimeout(resolve, wait * 1000))
    }
    throw new Error('no success')
  }
  for (let count = 0; count < ${calls}; count += 1) await call()
`

/** A client that uses `call`, which makes one call, and `name`, the situation. */
const calling = (code: string) =>
  node(`
    const { PET_MOCK_URL: url, PET_MOCK_KEY: key, PET_MOCK_SITUATION: name } = process.env
    const call = () => fetch(url + '/pets', { headers: { Authorization: 'Bearer ' + key } })
    ${code}
  `)

/** Makes one call, and is content with any reply. */
const content = calling('await call()')

const rehearse = (args: readonly string[], command: readonly string[], options = {}) =>
  runCommand(['rehearse', ...args, '--', ...command], options)

describe('the matrix', () => {
  test('a client that waits passes, each situation in a line', async () => {
    const only = ['--only', 'outage,rate-limit-exhaustion,ban']
    const { code, stdout, stderr } = await rehearse(only, node(polite(5)))
    expect(stderr).toMatch(/^\[1\/3\] ✓ \S+: passed\n\[2\/3\] .*\n\[3\/3\] .*\n$/)
    expect(stdout).toMatch(/Situation +Result +Exit code +Conduct +Recovery +Waste/)
    expect(stdout).toMatch(/✓ {2}ban +passed +0 /)
    expect(stdout).toContain('3 of 3 situations passed.')
    expect(code).toBe(0)
  })

  test('a client that gives up fails where success is expected, for a reason with a remedy', async () => {
    const client = node(`
      const { PET_MOCK_URL: url, PET_MOCK_KEY: key } = process.env
      const reply = await fetch(url + '/pets', { headers: { Authorization: 'Bearer ' + key } })
      if (!reply.ok) { console.error('gave up: ' + key + ' ' + reply.status); process.exit(1) }
    `)
    const { code, stdout } = await rehearse(['--only', 'ban,free-plan'], client)
    expect(stdout).toMatch(/✓ {2}free-plan +passed +0 /)
    expect(stdout.match(/free-plan/g)).toHaveLength(1)
    expect(stdout).toMatch(/✕ {2}ban +failed +1 +– +gave up/)
    expect(stdout.match(/Wait as long as Retry-After says, and make the call again\./g)).toHaveLength(1)
    expect(stdout).toMatch(/The client gave up after GET \/v1\/pets got\s+429 api_key_banned/)
    expect(stdout).toContain('It made no failed call again.')
    expect(stdout).toContain('│ gave up: demo-f… 429')
    expect(code).toBe(1)
  })

  test('the output of a failed run is shown without keys and colors', async () => {
    const client = calling(`
      await call()
      if (name === 'free-plan') process.exit(0)
      console.log('\\x1b[31mred\\x1b[0m', process.env.PET_MOCK_KEY)
      process.exit(9)
    `)
    const { code, stdout } = await rehearse(['--only', 'pro-plan'], client)
    expect(stdout).toMatch(/✕ {2}pro-plan +failed +9 +– +–/)
    expect(stdout).toMatch(
      /✕ exit-code\n {2}In pro-plan: The command failed with exit code 9, but success was expected\.\n/,
    )
    expect(stdout).toMatch(/The end of the output in pro-plan:\n {2}│ red demo-p…\n/)
    expect(stdout).toContain('0 of 1 situation passed, 1 failed.')
    expect(code).toBe(1)
  })

  test('a client that passes only sometimes is flaky', async () => {
    const folder = directoryWith({})
    const client = calling(`
      const { appendFileSync, readFileSync } = await import('node:fs')
      await call()
      if (name !== 'pro-plan') process.exit(0)
      appendFileSync('runs', 'x')
      process.exit(readFileSync('runs').length === 2 ? 1 : 0)
    `)
    const args = ['--only', 'pro-plan', '--repeat', '3', '--jobs', '1']
    const { code, stdout } = await rehearse(args, client, { cwd: folder })
    expect(stdout).toMatch(/≈ {2}pro-plan +flaky, 2 of 3 passed/)
    expect(code).toBe(1)
  })

  test.each([
    [
      'makes no call',
      'process.exit(0)',
      'makes no calls. It finds the service in PET_MOCK_URL and PET_MOCK_KEY',
    ],
    [
      'calls other paths',
      'await fetch(new URL("/pets", process.env.PET_MOCK_URL))',
      'calls no path of the API. The base URL in PET_MOCK_URL ends in /v1: add paths to the whole of it.',
    ],
    ['calls only the plane', 'await fetch(process.env.PET_MOCK_ADMIN + "/state")', 'makes no calls.'],
    ['uses another key', 'await fetch(process.env.PET_MOCK_URL + "/pets")', 'but none succeeds'],
  ])('a command that %s gets no certificate', async (_, code, text) => {
    const ended = await rehearse(['--only', 'free-plan,outage'], node(code))
    expect(ended.stderr).toContain(text)
    expect(ended.stdout).toBe('')
    expect(ended.code).toBe(1)
  })

  test('a client that crashes in an outage did not give up', async () => {
    const client = calling("await call(); if (name === 'outage') process.kill(process.pid, 'SIGSEGV')")
    const { code, stdout } = await rehearse(['--only', 'outage'], client)
    expect(stdout).toContain('In outage: The signal SIGSEGV ended the command (exit code 139)')
    expect(code).toBe(1)
  })

  test('a command that makes no call in one situation fails in it, whatever the scenario expects', async () => {
    const client = calling("if (name !== 'outage') await call()")
    const { code, stdout } = await rehearse(['--only', 'outage'], client)
    expect(stdout).toMatch(/✕ {2}outage +failed, 16 checks not judged +0 /)
    expect(stdout).toContain(
      '✕ no-calls\n  In outage: The command made no call to the API, so nothing was tried.',
    )
    expect(code).toBe(1)
  })
})

test('a client that fails where it may, and recovers nowhere, has a mark of its own', async () => {
  const client = calling(`
    const replies = [await call(), await call()]
    try { for (const reply of replies) await reply.json() } catch { process.exit(1) }
  `)
  const { code, stdout } = await rehearse(['--only', 'broken-connections'], client)
  expect(stdout).toMatch(/△ {2}broken-connections +allowed to fail +1 \(any\)/)
  expect(stdout).toContain('0 of 1 situation passed, 1 allowed to fail.')
  expect(code).toBe(0)
})

describe('a client that never meets a situation', () => {
  test('did not pass it: it is listed as not met, with the reason, and fails nothing', async () => {
    const only = ['--only', 'free-plan,rate-limit-exhaustion,revoked-midway,flaky,lost-reply,outage']
    const cwd = directoryWith({})
    const files = ['c.json', 'c.xml'].flatMap(file => ['--report', file])
    const { code, stdout, stderr } = await rehearse([...only, ...files], content, { cwd })
    expect(stderr).toContain(
      '○ rate-limit-exhaustion: not met (made 1 call; this situation begins at call 2)',
    )
    expect(stdout).toMatch(/○ {2}flaky +not met +0 +– +–/)
    expect(stdout).toMatch(/✓ {2}outage +passed +0/)
    expect(stdout).toContain(
      [
        'The client did not meet flaky: made 1 call; no rule acted',
        'The client did not meet lost-reply: made 1 call; no rule acted, which needs POST /v1/pets',
        'The client did not meet rate-limit-exhaustion, revoked-midway: made 1 call; this situation begins at',
      ].join('\n\n'),
    )
    expect(stdout).toContain('2 of 6 situations passed, 4 not met.')
    expect(code).toBe(0)
    const { failed, situations } = JSON.parse(readFileSync(join(cwd, 'c.json'), 'utf8'))
    expect(failed).toBe(false)
    expect(situations).toContainEqual(expect.objectContaining({ name: 'flaky', result: 'not-met' }))
    expect(readFileSync(join(cwd, 'c.xml'), 'utf8')).toContain('skipped="3"')
  })

  test('of two calls is met by every limit: it begins at the second', async () => {
    const cwd = directoryWith({})
    const only = ['--only', 'rate-limit-exhaustion,shared-key,retry-after-zoo', '--report', 'c.json']
    const { code, stdout } = await rehearse(only, node(polite(2)), { cwd })
    expect(stdout).toContain('3 of 3 situations passed.')
    expect(code).toBe(0)
    const { situations } = JSON.parse(readFileSync(join(cwd, 'c.json'), 'utf8'))
    expect(
      situations.map((one: { begins: object; waste: { refused: number } }) => [
        one.begins,
        one.waste.refused,
      ]),
    ).toEqual([
      [{ after: 1, declared: 3, calls: 2 }, 1],
      [{ after: 1, declared: 4, calls: 2 }, 1],
      [{ after: 1, declared: 15, calls: 2 }, 1],
    ])
  })

  test.each([
    ['exactly', [], 0, '✓ precision: passed'],
    ['as doubles', ['--doubles'], 1, '✕ precision: failed (exit-code)'],
  ])('precision: a client that reads the id of its pet %s', async (_, flags, code, line) => {
    const words = [process.execPath, 'test/clients/programs/few-calls.js', 'create', 'get', ...flags]
    const ended = await rehearse(['--only', 'precision'], words)
    expect(ended.stderr).toContain(line)
    const named = 'The last call that failed: GET /v1/pets/9007199254740996 → 404 pet_not_found.'
    expect(ended.stdout.replace(/\s+/g, ' ').includes(named)).toBe(code === 1)
    expect(ended.code).toBe(code)
  })

  test('of all situations fails: nothing was judged', async () => {
    const { code, stdout } = await rehearse(['--only', 'flaky,retry-after'], content)
    expect(stdout).toContain('✕ nothing-met\n  In flaky: The client made 1 call; no rule acted.')
    expect(stdout).toContain('0 of 2 situations passed, 2 not met.')
    expect(code).toBe(1)
  })
})

describe('runs', () => {
  test('the calm run comes first, and its failure ends the rehearsal', async () => {
    const client = node(
      'for (let line = 1; line < 30; line += 1) console.log(`no luck ${line}`); process.exit(4)',
    )
    const { code, stdout, stderr } = await rehearse([], client)
    expect(stderr).toMatch(
      /fails without any disturbance: exit code 4\.\n {2}│ no luck 1\n.*│ no luck 29\n$/s,
    )
    expect(stdout).toBe('')
    expect(code).toBe(1)
  })

  test('as many at once as --jobs says', async () => {
    const folder = directoryWith({})
    const client = calling(`
      const { readdirSync, writeFileSync } = await import('node:fs')
      await call()
      if (name === 'free-plan') process.exit(0)
      writeFileSync(name, '')
      for (let look = 0; look < 200; look += 1) {
        if (readdirSync('.').length === 2) setTimeout(() => process.exit(0), 200)
        await new Promise(resolve => setTimeout(resolve, 50))
      }
      process.exit(1)
    `)
    const args = ['--only', 'pro-plan,business-plan', '--jobs', '2']
    expect((await rehearse(args, client, { cwd: folder })).code).toBe(0)
  })

  test('a run that does not end has hung, and nothing of it runs on', async () => {
    const stubborn = 'process.on("SIGTERM", () => {}); console.log(process.pid); setInterval(() => {}, 1000)'
    const client = calling(`
      const { spawn } = await import('node:child_process')
      await call()
      if (name === 'free-plan') process.exit(0)
      spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { stdio: 'inherit' })
      setInterval(() => {}, 1000)
    `)
    // This scenario accepts any exit code, but no hanging.
    const { code, stdout } = await rehearse(['--only', 'outage', '--timeout', '3s'], client)
    expect(stdout).toMatch(/✕ {2}outage +failed +hung/)
    expect(stdout).toContain('The command did not end within 3s')
    expect(code).toBe(1)
    await expectGone(Number(/│ (\d+)/.exec(stdout)?.[1]))
  })

  test.each([
    [['no-such-command'], 127, 'no-such-command: command not found'],
    [['/tmp'], 126, '/tmp cannot be run: it is a directory'],
  ])('%s does not run', async (command, code, text) => {
    const ended = await rehearse([], command)
    expect(ended.stderr).toContain(text)
    expect(ended.code).toBe(code)
  })

  test('a Ctrl+C ends all commands', async () => {
    const client = calling(`
      await call()
      if (name === 'free-plan') process.exit(0)
      const { appendFileSync } = await import('node:fs')
      appendFileSync('pids', process.pid + '\\n')
      setInterval(() => {}, 1000)
    `)
    const cwd = directoryWith({})
    const running = spawnCommand(['rehearse', '--jobs', '2', '--only', 'ban,outage', '--', ...client], {
      cwd,
    })
    const pids = () => {
      try {
        return readFileSync(join(cwd, 'pids'), 'utf8').trim().split('\n').map(Number)
      } catch {
        return []
      }
    }
    for (let look = 0; look < 400 && pids().length < 2; look += 1) await sleep(25)
    running.child.kill('SIGINT')
    const { code, stderr } = await running.ended
    expect(stderr).toContain('Stopped: 0 of 2 situations were rehearsed.')
    expect(code).toBe(130)
    expect(pids()).toHaveLength(2)
    for (const pid of pids()) await expectGone(pid)
  })
})

describe('situations', () => {
  const file = 'title: Mine\nextends: free-plan\nrehearsal: { expects: failure }\n'

  test('files and directories of the user come on top', async () => {
    const two = '{ "extends": "free-plan", "rehearsal": { "expects": "success" } }'
    const cwd = directoryWith({ 'mine/one.yaml': file, 'mine/two.json': two })
    const args = ['--add', 'mine', '--only', 'one,mine/two*']
    const { code, stdout } = await rehearse(args, content, { cwd })
    expect(stdout).toMatch(/✕ {2}mine\/one\.yaml +failed +0 /)
    expect(stdout).toMatch(/✓ {2}mine\/two\.json +passed +0 /)
    expect(code).toBe(1)
  })

  test.each([
    [['--only', 'outege'], '--only: no situation is named "outege"; did you mean outage?'],
    [
      ['--skip', 'nothing-like-it-at-all'],
      '--skip: no situation is named "nothing-like-it-at-all"; the situations are ',
    ],
    [['--only', 'ban', '--skip', 'ban'], 'No situation is left: --skip names them all.'],
    [
      ['--add', 'outage'],
      '--add: outage is a shipped scenario, which is rehearsed anyway; to rehearse only it, use --only outage',
    ],
    [['--add', 'outag'], '--add: "outag" is neither a shipped scenario nor a file. Did you mean outage?'],
    [['--add', 'empty'], '--add: no YAML or JSON file in the directory empty'],
    [['--add', 'loop.yaml'], '--add: loop.yaml in '],
    [['--add', 'x'.repeat(300)], 'is neither a shipped scenario nor a file'],
    [['--jobs', '0'], '--jobs: expected a whole number from 1 to 1000'],
    [['--timeout', 'soon'], '--timeout: expected a duration'],
    [['--sunset', '--add', 'mine.yaml'], '--sunset and --add exclude each other'],
  ])('%s is a mistake', async (args, text) => {
    const cwd = directoryWith({})
    mkdirSync(join(cwd, 'empty'))
    symlinkSync('loop.yaml', join(cwd, 'loop.yaml'))
    const { code, stderr } = await rehearse(args, ['true'], { cwd })
    expect(stderr).toContain(text)
    expect(code).toBe(2)
  })

  test('no command', async () => {
    const { code, stderr } = await runCommand(['rehearse'])
    expect(stderr).toContain('Expected: pet-mock rehearse -- COMMAND')
    expect(code).toBe(2)
  })

  test('the flags of the project file count', async () => {
    const project = 'add-key: [my-app=pro]\nrehearse:\n  add: own.yaml\n  only: own\n'
    const cwd = directoryWith({ 'own.yaml': file, 'pet-mock.yaml': project })
    const { stdout } = await rehearse([], content, { cwd })
    expect(stdout).toMatch(/✕ {2}own\.yaml/)
  })
})

describe('files', () => {
  const failing = calling("await call(); process.exit(name === 'pro-plan' ? 1 : 0)")
  const only = ['--only', 'free-plan,pro-plan']

  test('a certificate in each format, and annotations', async () => {
    const cwd = directoryWith({})
    const files = ['c.json', 'c.xml', 'c.md', 'c.html']
    const args = [...only, '--seed', '7', ...files.flatMap(file => ['--report', file])]
    const { code, stdout, stderr } = await rehearse(args, failing, { cwd, env: { GITHUB_ACTIONS: 'true' } })
    expect(stdout).toContain('Files written: c.json, c.xml, c.md, c.html.')
    expect(stderr).toContain('::error title=')
    expect(code).toBe(1)
    const text = (file: string) => readFileSync(join(cwd, file), 'utf8')
    const { failed, situations, seed } = JSON.parse(text('c.json'))
    expect([failed, seed, situations.map((one: { name: string }) => one.name)]).toEqual([
      true,
      7,
      ['free-plan', 'pro-plan'],
    ])
    expect(text('c.xml')).toContain('<testsuite name="pro-plan"')
    expect(text('c.md')).toContain('1 of 2 situations passed, 1 failed')
    expect(text('c.html')).toContain('<!doctype html>')
    expect(text('c.html').match(/<details class="situation"[^>]*>/g)).toEqual([
      '<details class="situation" id="r1-part-2" open>',
      '<details class="situation" id="r1-part-1">',
    ])
    expect(text('c.html')).toContain('<h3>Calls around the failure</h3>')
    expect(text('c.html')).toContain('<code>GET /v1/pets → 200</code>')
    expect(text('c.html')).toContain(
      '<dd>pet-mock rehearse --only free-plan,pro-plan --seed 7 --report c.json --report c.xml --report c.md --report c.html -- ',
    )
  })

  test('a file that cannot be written', async () => {
    const cwd = directoryWith({ file: '' })
    const { code, stderr } = await rehearse([...only, '--report', 'file/c.json'], content, { cwd })
    expect(stderr).toContain('file/c.json cannot be written')
    expect(code).toBe(1)
  })

  test('what the baseline knows fails nothing, and what got better is said', async () => {
    const cwd = directoryWith({})
    const first = await rehearse([...only, '--write-baseline', 'known.json'], failing, { cwd })
    expect(first.stdout).toContain('Files written: known.json.')
    expect(first.code).toBe(1)
    const second = await rehearse([...only, '--baseline', 'known.json'], failing, { cwd })
    expect(second.stdout).toMatch(/! {2}pro-plan .*failed, known/)
    expect(second.stdout).toContain('1 of 2 situations passed, 1 known to fail.')
    expect(second.code).toBe(0)
    const third = await rehearse([...only, '--baseline', 'known.json'], content, { cwd })
    expect(third.stdout).toContain('pro-plan passes now: remove it from the baseline.')
    expect(third.code).toBe(0)
    const few = ['--only', 'free-plan', '--baseline', 'known.json', '--write-baseline', 'new.json']
    const fourth = await rehearse(few, content, { cwd })
    expect(fourth.stdout).toMatch(
      /\n\d+ of \d+ situations were left out by --only or --skip\.\n1 of 1 situation passed/,
    )
    expect(readFileSync(join(cwd, 'new.json'), 'utf8')).toBe(readFileSync(join(cwd, 'known.json'), 'utf8'))
    const all = [...only, '--baseline', 'known.json', '--write-baseline', 'known.json']
    const fifth = await rehearse(all, content, { cwd })
    expect(fifth.stdout).not.toContain('remove it')
    expect(readFileSync(join(cwd, 'known.json'), 'utf8')).not.toContain('pro-plan')
  })

  test('a baseline that is none', async () => {
    const cwd = directoryWith({ 'bad.json': '{ "version": 1, "situations": { "ban": { "result": "no" } } }' })
    const bad = await rehearse(['--baseline', 'bad.json'], ['true'], { cwd })
    expect(bad.stderr).toMatch(/^bad\.json:1:\d+: /)
    expect(bad.code).toBe(2)
    const none = await rehearse(['--baseline', 'none.json'], ['true'], { cwd })
    expect(none.stderr).toContain('none.json')
    expect(none.stderr).toContain('--write-baseline none.json writes it')
    expect(none.code).toBe(2)
  })

  test('--fail-on replaces what the scenarios say about findings', async () => {
    const deprecated = node(`
      const { PET_MOCK_URL: url, PET_MOCK_KEY: key } = process.env
      await fetch(url + '/pets/1', { headers: { Authorization: 'Bearer ' + key } })
    `)
    const args = ['--only', 'free-plan']
    expect((await rehearse(args, deprecated)).code).toBe(0)
    expect((await rehearse([...args, '--fail-on', 'warning'], deprecated)).code).toBe(1)
    expect((await rehearse([...args, '--fail-on', 'deprecated-operation'], deprecated)).code).toBe(1)
    const wrong = await rehearse([...args, '--fail-on', 'deprecated-operations'], deprecated)
    expect(wrong.stderr).toContain('did you mean deprecated-operation?')
  })
})

describe('--sunset', () => {
  test('what breaks, by operation and call site', async () => {
    const client = node(`
      const { PET_MOCK_URL: url, PET_MOCK_KEY: key } = process.env
      const call = (path, site) => fetch(url + path, { headers: { Authorization: 'Bearer ' + key, 'X-Call-Site': site } })
      for (const site of ['cart.js:12', 'cart.js:12', 'list.js:3']) await call('/pets/1', site)
      await call('/pets', 'new.js:1')
    `)
    const cwd = directoryWith({})
    const files = ['c.json', 'c.md', 'c.html']
    const args = ['--sunset', ...files.flatMap(file => ['--report', file])]
    const { code, stdout } = await rehearse(args, client, { cwd })
    expect(stdout).toMatch(/✓ {2}today .*\n.*announced.*\n.*brown-out.*\n.*day-before.*\n✕ {2}day-after/)
    expect(stdout).toContain('What breaks, by operation and call site:')
    expect(stdout).toMatch(
      /GET \/pets\/\{petId\} {2}cart\.js:12 \(x-call-site\) +2 fine +2 fine +2 break +2 fine +2 break\n/,
    )
    expect(stdout).toMatch(/list\.js:3 \(x-call-site\) +1 fine/)
    expect(stdout).not.toContain('new.js')
    const text = (file: string) => readFileSync(join(cwd, file), 'utf8')
    expect(JSON.parse(text('c.json')).sunset[0]).toMatchObject({
      operation: 'GET /pets/{petId}',
      site: 'cart.js:12 (x-call-site)',
      at: { today: { calls: 2, broken: 0 }, 'day-after': { calls: 2, broken: 2 } },
    })
    expect(text('c.md')).toMatch(/cart\.js:12 .*\| 2 fine \| 2 fine \| 2 break \| 2 fine \| 2 break \|/)
    expect(text('c.html')).toContain('<td data-name="Call site">cart.js:12 (x-call-site)</td>')
    expect(code).toBe(1)
  })

  test('a client without deprecated calls is ready', async () => {
    const { code, stdout } = await rehearse(['--sunset'], node(polite(1)))
    expect(stdout).toContain('No call of this run used a deprecated operation, so nothing broke in it.')
    expect(code).toBe(0)
  })
})
