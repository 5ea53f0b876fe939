import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Certificate } from '../../../src/judges/rehearsal/certificate.ts'
import type { SituationVerdict } from '../../../src/judges/rehearsal/verdict.ts'
import { directoryWith } from '../../support/directory.ts'
import { runCommand, withoutPages } from '../../support/run-command.ts'

const worker = fileURLToPath(new URL('../../clients/programs/in-a-fleet.js', import.meta.url))

/** A minute takes four seconds. Of its calls, 24 are left: twelve instances make 48, and one makes four. */
const some = `
title: Some calls are left
extends: free-plan
keys: { demo-free: { used: { minute: 36 } } }
bans: { for: 30s }
rehearsal: { expects: success, clock: { scale: 15 } }
`
const none = some.replace('minute: 36', 'minute: 60')
const files = {
  'some.yaml': some,
  'some-without-bans.yaml': some.replace(/bans: .*/, 'bans: off'),
  'none.yaml': none,
  'crash.yaml': none.replace('expects: success, ', ''),
}

/** Rehearses twelve workers in one situation, and reads the report. */
async function rehearse(mode: string, situation: string, ...flags: readonly string[]) {
  const cwd = directoryWith(files)
  const name = `${situation}.yaml`
  const words = ['--instances', '12', '--add', name, '--only', name, '--report', 'c.json', ...flags]
  const ended = await runCommand(['rehearse', ...words, '--', process.execPath, worker, mode, cwd], { cwd })
  const certificate: Certificate = JSON.parse(readFileSync(join(cwd, 'c.json'), 'utf8'))
  const [verdict] = certificate.situations
  if (verdict === undefined) throw new Error(ended.stderr)
  return { ...ended, cwd, text: ended.stdout.replace(/\s+/g, ' '), verdict }
}

const idsOf = (findings: SituationVerdict['conduct']) =>
  findings.filter(({ severity }) => severity !== 'info').map(({ id, severity }) => `${severity} ${id}`)

test('a call that is early only because another instance was refused is a warning', async () => {
  const { code, text, verdict } = await rehearse('polite', 'some-without-bans')
  expect(code).toBe(0)
  expect(verdict).toMatchObject({ result: 'passed', fleet: { instances: 12 } })
  expect(verdict.fleet?.only).toContain('called-while-limited')
  expect(idsOf(verdict.conduct)).toEqual(['warning called-while-limited'])
  const [found] = verdict.conduct
  expect(found?.instances?.length).toBeGreaterThan(1)
  expect(found?.instances).toContain(found?.evidence[0]?.instance)
  expect(found?.evidence[0]?.detail).toMatch(
    /^\d.* before Retry-After was over; instance \d+ was refused before, and this one was not$/,
  )
  expect(text).toContain(
    'Only the fleet did, no instance alone: called-while-limited in some-without-bans.yaml. A limit applies to the whole key',
  )
  expect(text).toContain('share the wait, with one pause for all')
})

test('ten refusals of ten polite instances ban the key, which fails the fleet', async () => {
  const { code, text, verdict } = await rehearse('polite', 'some', '--report', 'c.html', '--report', 'c.md')
  expect(code).toBe(1)
  expect(verdict.reasons).toMatchObject([
    { id: 'banned', title: '1 ban was imposed for calling while rate limited (only the fleet did).' },
  ])
  expect(verdict.fleet?.only).toEqual(expect.arrayContaining(['banned', 'called-while-limited']))
  expect(text).toContain('Only the fleet did, no instance alone: banned in some.yaml.')
})

test('a fleet that shares its wait passes', async () => {
  const { code, verdict, text } = await rehearse('shared', 'some', '--fail-on', 'warning')
  expect(verdict).toMatchObject({ result: 'passed', unmet: null, reasons: [] })
  expect(verdict.waste.refused).toBeGreaterThan(0)
  expect(idsOf(verdict.conduct)).toEqual([])
  expect(text).not.toContain('the fleet')
  expect(code).toBe(0)
})

test('what one instance also does alone is not the fault of the fleet', async () => {
  const { code, verdict } = await rehearse('hasty', 'none')
  expect(code).toBe(1)
  const early = verdict.reasons.find(({ id }) => id === 'early-retry')
  expect(early?.title).toMatch(/^Instances 1, 2, .* were retried before Retry-After was over, up to [^(]*$/)
  expect(verdict.fleet?.only).toContain('called-while-limited')
  expect(verdict.fleet?.only).not.toContain('early-retry')
})

test.each([
  [
    'fail',
    'some',
    'exit-code',
    'Instance 7: The command failed with exit code 3',
    { kind: 'exited', exitCode: 3 },
  ],
  ['crash', 'crash', 'crashed', 'Instance 7: The signal SIGABRT', { kind: 'exited', exitCode: 134 }],
  [
    'hang',
    'some',
    'hung',
    'Instance 7: The command did not end within 40s',
    { kind: 'hung', afterMs: 40_000 },
  ],
] as const)(
  'one of twelve that does not end well fails them: %s',
  async (mode, situation, id, title, found) => {
    const { code, verdict } = await rehearse(mode, situation, '--timeout', '40s', '--fail-on', 'never')
    expect(code).toBe(1)
    expect(verdict.reasons).toMatchObject([{ id, instances: [7] }])
    expect(verdict.reasons[0]?.title.startsWith(title)).toBe(true)
    expect(verdict.reasons[0]?.title.endsWith('(only the fleet did).')).toBe(true)
    expect(verdict.exit.found).toEqual(found)
    if (mode === 'fail') expect(verdict.output).toBe('Instance 7:\nno pets today\n')
  },
)

const isLinux = process.platform === 'linux'
test.runIf(isLinux)('a call to the address of another instance is not judged', async () => {
  const { code, text, verdict } = await rehearse('astray', 'some-without-bans')
  expect(verdict).toMatchObject({
    result: 'unjudged',
    unjudged: [{ reason: 'instance 2 made it at the address of another instance' }],
  })
  expect(verdict.unjudged[0]?.count).toBeGreaterThanOrEqual(4)
  expect(verdict.unjudged[0]?.evidence?.every(({ instance }) => instance === 1)).toBe(true)
  expect(verdict.conduct.flatMap(({ instances = [] }) => instances)).not.toContain(2)
  expect(text).toContain('calls not judged')
  expect(code).toBe(0)
})

const expected = 'expected a whole number from 1 to 100, found'

test.each([
  [['--instances', '0'], `${expected} "0"`],
  [['--instances', '-1'], `${expected} "-1"`],
  [['--instances', '101'], `${expected} "101"`],
  [['--instances', 'many'], `${expected} "many"`],
  [['--search', '--instances', '2'], '--search and --instances exclude each other.'],
])('wrong usage: %j', async (words, message) => {
  const { code, stderr } = await runCommand(['rehearse', ...words, '--', 'true'], { cwd: directoryWith({}) })
  expect(withoutPages(stderr)).toContain(message)
  expect(code).toBe(2)
})
