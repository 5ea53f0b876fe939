import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type DrawnCall, linesOf } from '../../judges/box/runs/planted-runs.ts'
import { directoryWith } from '../../support/directory.ts'
import { runCommand } from '../../support/run-command.ts'

const call = (at: number, key = 'demo-free'): DrawnCall => ({ at, method: 'GET', target: '/v1/pets', key })
const calls = (count: number) => Array.from({ length: count }, (_, index) => call(index * 1_000))

/** Runs a command in a directory with boxes. */
function withBoxes() {
  const cwd = directoryWith({
    'rule.yaml': 'match: { path: /v1/pets }\nthen: { status: 503 }\ntimes: 1\n',
    'bad.yaml': 'match: { pets: 1 }\n',
    'bans.profile.yaml':
      'profile: 1\nservice: https://pets.example\nlearned:\n  bans.status: { value: 403, state: observed, seen: 3, last: 2026-11-22 }\nunknown: []\n',
  })
  const write = (name: string, run: readonly DrawnCall[]) =>
    writeFileSync(join(cwd, name), gzipSync(linesOf(run)))
  write('green.petbox', [...calls(5), call(60_200), call(61_000, 'demo-pro')])
  write('red.petbox', [...calls(5), call(59_800), call(61_000, 'demo-pro')])
  write('long.petbox', [call(0, 'demo-pro'), ...calls(12)])
  write('masked.petbox', [call(0), { ...call(500), target: '/v1/pets?api_key=my-own-key-1234' }, call(900)])
  write('wrong.petbox', [{ ...call(0), target: '/v1/pets?limit=0' }])
  return { cwd, run: (...words: readonly string[]) => runCommand(words, { cwd }) }
}

test('diff names the first difference and its cause', async () => {
  const { run } = withBoxes()
  expect(await run('box', 'diff', 'green.petbox', 'red.petbox')).toMatchObject({
    code: 1,
    stdout:
      'First difference: Call 6 (GET /v1/pets) got 429 rate_limit_exceeded instead of 200: it came 0.4 s earlier, so the minute was still full.\n',
  })
  expect(await run('box', 'diff', 'red.petbox', 'red.petbox')).toMatchObject({
    code: 0,
    stdout: 'The runs do not differ.\n',
  })
  const refused = await run('box', 'diff', 'green.petbox', 'rule.yaml')
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('rule.yaml')
})

test.each([
  [['--set', 'plan=business'], 'Call 7 (GET /v1/pets) got 200 instead of 429 rate_limit_exceeded'],
  [['--set', 'ban=5m'], 'Call 4 (GET /v1/pets) got 429 api_key_banned instead of 200'],
  [['--rule', 'rule.yaml'], 'The first: Call 4 (GET /v1/pets) got 503 injected_fault instead of 200'],
  [['--profile', 'bans.profile.yaml'], 'got 403 api_key_banned instead of 429'],
])('play with %j', async (flags, line) => {
  const { code, stdout, stderr } = await withBoxes().run(
    'box',
    'play',
    'long.petbox',
    '--from',
    '4',
    ...flags,
  )
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('From call 4 on, ')
  expect(stdout).toContain(line)
})

test.each([
  [['--from', '7'], '--from needs one change'],
  [['--set', 'plan=pro'], 'a change needs --from'],
  [['--from', '7', '--set', 'plan=pro', '--rule', 'rule.yaml'], '--from needs one change'],
  [['--from', '70', '--set', 'plan=pro'], '--from: there is no call 70: this box has the calls 1 to 13'],
  [['--from', '7', '--set', 'plan=gold'], 'call 7: plan: unknown plan "gold"'],
  [['--from', '7', '--set', 'gold'], '--set: expected NAME=VALUE'],
  [['--from', '7', '--rule', 'bad.yaml'], 'bad.yaml:1:'],
  [['--from', '7', '--profile', 'none.yaml'], '--profile'],
])('play refuses %j', async (flags, message) => {
  const { code, stderr } = await withBoxes().run('box', 'play', 'long.petbox', ...flags)
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})

test('shorten writes a box of the calls that give the finding, and a scenario shows the refusal', async () => {
  const { cwd, run } = withBoxes()
  const { code, stdout } = await run(
    'box',
    'shorten',
    'long.petbox',
    '--finding',
    'early-retry',
    '-o',
    'short.petbox',
  )
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /early-retry: 7 calls of the first 8, after \d+ runs: without any one of them, it is gone\.\n$/,
  )
  expect(await run('box', 'play', 'short.petbox')).toMatchObject({ code: 0 })
  const scenario = await run('scenarios', 'from', 'short.petbox', '-o', 'failed.yaml')
  expect(scenario).toMatchObject({ code: 0 })
  expect(readFileSync(join(cwd, 'failed.yaml'), 'utf8')).toContain('rate_limit_exceeded')
  expect(await run('scenarios', 'play', 'failed.yaml')).toMatchObject({ code: 0 })
})

test('show says what was wrong with a call', async () => {
  const { run } = withBoxes()
  expect((await run('box', 'show', 'wrong.petbox')).stdout).toContain(
    '  listPets rejected it. Wrong limit: expected 1 (a whole number from 1 to 100), found 0.\n',
  )
})

test('a run with masked values in its targets becomes a scenario that is held, too', async () => {
  const { run } = withBoxes()
  const scenario = await run('scenarios', 'from', 'masked.petbox', '-o', 'masked.yaml')
  expect(scenario).toMatchObject({ code: 0 })
})

test('shorten says what ended it, and what it does not find', async () => {
  const { run } = withBoxes()
  expect((await run('box', 'shorten', 'long.petbox', '--max-runs', '3')).stdout).toMatch(
    /after 3 runs: no run was left to try fewer; see --max-runs\.\n$/,
  )
  expect(await run('box', 'shorten', 'green.petbox', '--finding', 'early-retry')).toMatchObject({
    code: 1,
    stdout: 'The run does not give the finding early-retry.\n',
  })
  expect((await run('scenarios', 'from', 'none.petbox')).code).toBe(2)
})
