import { describe, expect, test } from 'vitest'
import { createCertificate, formatCounts } from '../../../src/judges/rehearsal/certificate.ts'
import type { Rehearsal } from '../../../src/judges/rehearsal/rehearsal.ts'
import { formatResult, matrixOf, rehearsalReport } from '../../../src/judges/rehearsal/rehearsal-report.ts'
import { isFailing, markOf } from '../../../src/judges/rehearsal/verdict.ts'
import { type Deviation, findingOf, givenUp, openCalls, runOf, verdictOf } from './client-runs.ts'

type Row = readonly [what: string, rehearsal: Partial<Rehearsal>, run: Deviation, reasons: readonly string[]]

const gaveUp = { kind: 'ended-early', ...givenUp, missingMs: 20_000 } as const
const early = findingOf('early-retry')
const creates = findingOf('duplicate-create', 'warning')
const peak = findingOf('quota-peak', 'info')

describe('a run in a situation', () => {
  test.each<Row>([
    ['success, as expected', { expects: 'success' }, {}, []],
    ['failure instead of success', { expects: 'success' }, { exitCode: 1 }, ['exit-code']],
    ['a signal instead of success', { expects: 'success' }, { exitCode: 139 }, ['exit-code']],
    ['failure, as expected', { expects: 'failure' }, { exitCode: 7 }, []],
    ['success instead of failure', { expects: 'failure' }, {}, ['exit-code']],
    ['either: success', { expects: 'either' }, {}, []],
    ['either: failure', { expects: 'either' }, { exitCode: 1 }, []],
    ['hung is no success', { expects: 'success' }, { hung: true }, ['hung']],
    ['hung is not the expected failure', { expects: 'failure' }, { hung: true }, ['hung']],
    ['hung is not either', { expects: 'either' }, { hung: true }, ['hung']],
    ['an error of conduct', {}, { findings: [early, creates, peak] }, ['early-retry']],
    [
      'a warning of conduct',
      { failOn: 'warning' },
      { findings: [early, creates, peak] },
      ['early-retry', 'duplicate-create'],
    ],
    ['never', { failOn: 'never' }, { findings: [early, creates] }, []],
    ['an allowed finding', { allow: ['early-retry'] }, { findings: [early] }, []],
    [
      'a forbidden finding',
      { forbid: ['duplicate-create'], failOn: 'never' },
      { findings: [creates] },
      ['duplicate-create'],
    ],
    ['an expected finding', {}, { findings: [{ ...early, expected: true }] }, []],
    ['a failure of pet-mock itself', {}, { findings: [findingOf('judge-failed')] }, ['judge-failed']],
    ['no recovery, which is not required', {}, { recovery: gaveUp }, []],
    ['nothing to recover from', { recovers: 30_000 }, {}, []],
    [
      'a recovery in time',
      { recovers: 30_000 },
      { recovery: { kind: 'recovered', afterMs: 30_000, clientMs: 30_000 } },
      [],
    ],
    [
      'a recovery too late',
      { recovers: 30_000 },
      { recovery: { kind: 'recovered', afterMs: 30_001, clientMs: 1_001 } },
      ['recovery'],
    ],
    [
      'a recovery within a second of the client, on a fast clock',
      { recovers: 30_000 },
      { recovery: { kind: 'recovered', afterMs: 900_000, clientMs: 1_000 } },
      [],
    ],
    ['a crash is not the expected failure', { expects: 'failure' }, { exitCode: 139 }, ['crashed']],
    ['a crash is not either', { expects: 'either' }, { exitCode: 134 }, ['crashed']],
    ['a crash is no success', { expects: 'success' }, { exitCode: 137 }, ['exit-code']],
    ['an end by SIGTERM is a failure like others', { expects: 'either' }, { exitCode: 143 }, []],
    ['no call', { expects: 'either' }, { facts: { calls: 0 } }, ['no-calls']],
    [
      'an end from outside, which is no giving up',
      { recovers: 30_000 },
      { hung: true, recovery: gaveUp },
      ['hung'],
    ],
    ['giving up', { recovers: 30_000 }, { recovery: gaveUp }, ['recovery']],
    [
      'no further call',
      { recovers: 30_000 },
      { recovery: { kind: 'stopped', ...givenUp, what: 'reset' } },
      ['recovery'],
    ],
    [
      'failing again',
      { recovers: 30_000 },
      { recovery: { kind: 'failed-again', ...givenUp, what: '503', calls: 2 } },
      ['recovery'],
    ],
    [
      'no verdict on the recovery',
      { recovers: 30_000 },
      { recovery: { kind: 'unjudged', reason: 'it never ends' } },
      ['recovery-unjudged'],
    ],
    [
      'everything at once, the worst first',
      { expects: 'failure', recovers: 1, failOn: 'warning' },
      { hung: true, recovery: { kind: 'stopped', ...givenUp, what: 'reset' }, findings: [creates, early] },
      ['hung', 'recovery', 'early-retry', 'duplicate-create'],
    ],
  ])('%s', (_, rehearsal, run, reasons) => {
    const verdict = verdictOf(rehearsal, [run])
    expect(verdict.reasons.map(({ id }) => id)).toEqual(reasons)
    expect(verdict.result).toBe(reasons.length === 0 ? 'passed' : 'failed')
    expect(isFailing(verdict)).toBe(reasons.length > 0)
    for (const { title, remedy } of verdict.reasons)
      expect([title, remedy].join()).not.toMatch(/undefined|NaN/)
  })
})

describe('what a verdict says', () => {
  const giveUp =
    'Wait as long as Retry-After says, and make the call again. Without Retry-After, or after a response that breaks off, retry for longer, with growing waits.'
  const crash =
    'The output of the command may say more. A program that needs too much memory ends with SIGABRT or SIGKILL.'

  test.each<[rehearsal: Partial<Rehearsal>, run: Deviation, title: string, remedy: string]>([
    [
      { expects: 'success' },
      { exitCode: 1 },
      'The command failed with exit code 1, but success was expected.',
      'The situation refused and broke no call. The output of the command says why it failed.',
    ],
    [
      { expects: 'success' },
      { exitCode: 1, recovery: { kind: 'recovered', afterMs: 1, clientMs: 1 } },
      'The command failed with exit code 1, but success was expected.',
      'Calls succeeded again: repeat the call that failed, and go on.',
    ],
    [
      { expects: 'success' },
      { exitCode: 1, recovery: gaveUp },
      'The command failed with exit code 1, but success was expected.',
      giveUp,
    ],
    [
      { expects: 'success' },
      { exitCode: 1, recovery: { kind: 'stopped', ...givenUp, what: 'reset' } },
      'The command failed with exit code 1, but success was expected.',
      giveUp,
    ],
    [
      { expects: 'success' },
      { exitCode: 1, recovery: { kind: 'failed-again', ...givenUp, what: '503', calls: 2 } },
      'The command failed with exit code 1, but success was expected.',
      'Wait until calls can succeed before each retry, and retry more often.',
    ],
    [
      { expects: 'success' },
      { exitCode: 1, recovery: { kind: 'unjudged', reason: 'it never ends' } },
      'The command failed with exit code 1, but success was expected.',
      'The output of the command says why it failed.',
    ],
    [
      { expects: 'failure' },
      {},
      'The command ended with exit code 0, but failure was expected.',
      'Report calls that fail for good: a command that hides them must not end with 0.',
    ],
    [
      { expects: 'either' },
      { exitCode: 139 },
      'The signal SIGSEGV ended the command (exit code 139), which is a crash and no way to give up.',
      crash,
    ],
    [
      {},
      { hung: true },
      'The command did not end within 1m, so it was ended.',
      'Give each call a timeout, and each wait and the number of retries a limit. If the command is only slow, use a longer --timeout.',
    ],
    [
      {},
      { facts: { calls: 0 } },
      'The command made no call to the API, so nothing was tried.',
      'The output of the command may say why: two runs at once may need the same port or file, so try --jobs 1. If the command leaves out this situation on purpose, use --skip.',
    ],
    [
      { recovers: 30_000 },
      { recovery: { kind: 'recovered', afterMs: 61_000, clientMs: 61_000 } },
      'Calls succeeded again only 61s after the service allowed them; expected: within 30s.',
      'Call again as soon as the wait is over: use Retry-After instead of a backoff of your own, or limit its longest wait. A ban for early calls delays recovery too.',
    ],
    [
      { recovers: 30_000 },
      { recovery: gaveUp },
      'The client gave up after POST /v1/pets got 429 rate_limit_exceeded, 20s before calls could succeed again. It made no failed call again.',
      giveUp,
    ],
    [
      { recovers: 30_000 },
      { recovery: { ...gaveUp, repeated: ['POST /v1/pets', 'GET /v1/pets'] } },
      'The client gave up after POST /v1/pets got 429 rate_limit_exceeded, 20s before calls could succeed again. It made other failed calls again: GET /v1/pets.',
      giveUp,
    ],
    [
      { recovers: 30_000 },
      { recovery: { ...gaveUp, repeated: ['POST /v1/pets'] } },
      'The client gave up after POST /v1/pets got 429 rate_limit_exceeded, 20s before calls could succeed again. It had made this call again before.',
      giveUp,
    ],
    [
      { recovers: 30_000 },
      { recovery: { kind: 'stopped', ...givenUp, what: 'reset' } },
      'After POST /v1/pets got reset, the client made no call that could succeed again. It made no failed call again.',
      giveUp,
    ],
    [
      { recovers: 30_000 },
      { recovery: { kind: 'failed-again', ...givenUp, what: '503', calls: 1 } },
      'No call succeeded again, although one was made when the service allowed it. The last one, POST /v1/pets, got 503.',
      'Retry more than once, with growing waits, and send no call that the service rejects.',
    ],
    [
      { recovers: 30_000 },
      { recovery: { kind: 'failed-again', ...givenUp, what: '503', calls: 2 } },
      'No call succeeded again, although 2 were made when the service allowed it. The last one, POST /v1/pets, got 503.',
      'Retry more than once, with growing waits, and send no call that the service rejects.',
    ],
    [
      { recovers: 30_000 },
      { recovery: { kind: 'unjudged', reason: 'it never ends' } },
      'Recovery could not be judged: it never ends.',
      'In the scenario, let the situation end (between, ttl, times), or remove rehearsal.recovers.',
    ],
  ])('%j, %j', (rehearsal, run, title, remedy) => {
    expect(verdictOf(rehearsal, [run]).reasons).toMatchObject([
      { title, remedy, severity: 'error', count: 1 },
    ])
  })

  test.each<[what: string, rehearsal: Partial<Rehearsal>, run: Deviation, isAsExpected: boolean]>([
    ['a success', { expects: 'success' }, {}, true],
    ['a failure', { expects: 'success' }, { exitCode: 1 }, false],
    ['a finding alone', { expects: 'success' }, { findings: [early] }, true],
    ['a missing recovery alone', { expects: 'success', recovers: 1 }, { recovery: gaveUp }, true],
    ['a finding and a failure', { expects: 'success' }, { exitCode: 1, findings: [early] }, false],
  ])('the exit of %s is as expected or not', (_, rehearsal, run, isAsExpected) => {
    expect(verdictOf(rehearsal, [run]).exit.isAsExpected).toBe(isAsExpected)
  })
})

describe('several instances', () => {
  const ends = (...exitCodes: readonly number[]) =>
    exitCodes.map(exitCode => ({ kind: 'exited', exitCode }) as const)
  const ofTwo = { ...early, instances: [2] }

  test.each<[what: string, run: Deviation, found: number]>([
    ['the one that failed', { exitCode: 1, instances: ends(0, 3, 0) }, 3],
    ['the worst of all, if none failed', { instances: ends(0, 0, 0), findings: [ofTwo] }, 0],
    [
      'the worst of all, if none ended otherwise than expected, though one has a finding',
      { exitCode: 5, instances: ends(5, 6, 5), findings: [ofTwo] },
      5,
    ],
  ])('have the exit code of %s', (_, run, exitCode) => {
    const expects = exitCode === 5 ? 'failure' : 'success'
    expect(verdictOf({ expects }, [run]).exit.found).toEqual({ kind: 'exited', exitCode })
  })

  test('have a fact about what one alone did not do, and the exit code that was expected', () => {
    const fleet = { instances: ends(0, 0), findings: [early, creates], alone: runOf() }
    const factsOf = (run: Deviation, rehearsal: Partial<Rehearsal> = {}) => {
      const verdicts = [verdictOf(rehearsal, [run])]
      const command = 'node client.js'
      const certificate = createCertificate({ command, calm: runOf(), verdicts, seed: 1, notes: [] })
      return rehearsalReport(certificate).parts?.[0]?.facts.filter(({ name }) => /^(?:Only|Exit)/.test(name))
    }
    expect(factsOf(fleet)).toEqual([
      { name: 'Only the fleet of 2 did', value: 'early-retry, duplicate-create' },
      { name: 'Exit code', value: '0 (any is fine)' },
    ])
    expect(factsOf({ ...fleet, findings: [] }, { expects: 'success' })).toEqual([
      { name: 'Only the fleet of 2 did', value: 'nothing' },
      { name: 'Exit code', value: '0 (expected: success)' },
    ])
  })
})

describe('several runs', () => {
  const bad: Deviation = { exitCode: 1, output: 'it broke', findings: [early] }
  const rehearsal = { expects: 'success' } as const

  test('are flaky if some pass and some fail, and the first that failed is shown', () => {
    const verdict = verdictOf(rehearsal, [{}, bad, { exitCode: 2 }])
    expect(verdict).toMatchObject({
      result: 'flaky',
      runs: { passed: 1, failed: 2 },
      output: 'it broke',
      exit: { expected: 'success', found: { exitCode: 1 }, isAsExpected: false },
    })
    expect(verdict.reasons.map(({ id, runs }) => [id, runs])).toEqual([
      ['exit-code', 2],
      ['early-retry', 1],
    ])
  })

  test('fail if all fail, each for its own reason', () => {
    const verdict = verdictOf(rehearsal, [{ hung: true }, bad])
    expect(verdict.result).toBe('failed')
    expect(verdict.reasons.map(({ id }) => id)).toEqual(['hung', 'exit-code', 'early-retry'])
  })

  test('pass if all pass, and keep no output', () => {
    expect(verdictOf(rehearsal, [{}, {}])).toMatchObject({
      result: 'passed',
      output: '',
      runs: { passed: 2 },
    })
  })
})

test('waste is the most of all runs, and calls beyond those of the calm run are not negative', () => {
  const few = { facts: { calls: 3, refused: 1, early: 0 } }
  const many = { facts: { calls: 31, refused: 9, early: 4 } }
  expect(verdictOf({}, [few]).waste).toEqual({ refused: 1, early: 0, beyondCalm: 0 })
  const both = verdictOf({}, [few, many])
  expect(both.waste).toEqual({ refused: 9, early: 4, beyondCalm: 11 })
  expect(both.calls).toBe(31)
})

test('a failure says what happened and what to do', () => {
  const [exit, recovery] = verdictOf({ expects: 'success', recovers: 30_000 }, [
    { exitCode: 1, recovery: gaveUp },
  ]).reasons
  expect(exit).toMatchObject({
    title: 'The command failed with exit code 1, but success was expected.',
    remedy: expect.stringMatching(/^Wait as long as Retry-After says, and make the call again/),
  })
  expect(recovery?.title).toBe(
    'The client gave up after POST /v1/pets got 429 rate_limit_exceeded, 20s before calls could succeed again. It made no failed call again.',
  )
})

describe('a situation that was not met', () => {
  const unmet = 'made 1 call; this situation begins at call 4'

  test('is neither passed nor failed, and fails nothing', () => {
    const verdict = verdictOf({ expects: 'success' }, [{ unmet }])
    expect(verdict).toMatchObject({ result: 'not-met', unmet, reasons: [], runs: { passed: 1, failed: 0 } })
    expect(isFailing(verdict)).toBe(false)
  })

  test('is met if one of several runs met it', () => {
    expect(verdictOf({}, [{ unmet }, {}])).toMatchObject({ result: 'passed', unmet: null })
  })

  test('still fails for what the client does there', () => {
    expect(verdictOf({ expects: 'success' }, [{ unmet, exitCode: 1 }])).toMatchObject({ result: 'failed' })
    expect(verdictOf({}, [{ unmet, hung: true }, { unmet }])).toMatchObject({ result: 'flaky' })
  })
})

describe('calls that could not be judged', () => {
  const open = { unjudged: openCalls(2) }
  const unjudged: Row[3] = ['unjudged']

  test.each<[result: string, text: string, rehearsal: Partial<Rehearsal>, runs: readonly Deviation[]]>([
    ['unjudged', 'passed, 2 calls not judged', {}, [open]],
    ['unjudged', 'passed, 1 call not judged', {}, [{}, { unjudged: openCalls(1) }]],
    ['unjudged', 'allowed to fail, 2 calls not judged', {}, [{ ...open, exitCode: 1 }]],
    ['failed', 'failed, 2 calls not judged', {}, [{ ...open, findings: [early] }]],
    ['flaky', 'flaky, 1 of 2 passed', {}, [open, { findings: [early] }]],
    ['not-met', 'not met, 2 calls not judged', {}, [{ ...open, unmet: 'made 2 calls' }]],
    ['failed', 'failed, 2 calls not judged', { forbid: unjudged }, [open]],
    ['unjudged', 'passed, 2 calls not judged', { failOn: 'warning' }, [open]],
  ])('%s: %s', (result, text, rehearsal, runs) => {
    const verdict = verdictOf(rehearsal, runs)
    expect([verdict.result, formatResult(verdict)]).toEqual([result, text])
    expect(markOf(verdict)).toBe(result)
  })

  test('are counted in the last line, and their situation has not passed', () => {
    const verdicts = [{}, open, { ...open, findings: [early] }].map(run => verdictOf({}, [run]))
    expect(formatCounts(verdicts)).toBe(
      '1 of 3 situations passed, 1 not wholly judged, 1 failed; not judged: 4 calls',
    )
  })
})

describe('the table', () => {
  test('has a column for each kind of reason', () => {
    expect(matrixOf([]).heads).toEqual(['Situation', 'Result', 'Exit code', 'Conduct', 'Recovery', 'Waste'])
  })

  test('names allowed findings', () => {
    const deprecated = findingOf('deprecated-operation', 'warning')
    expect(
      matrixOf([verdictOf({}, [{ findings: [deprecated, creates, peak] }])]).rows[0]?.cells[2]?.text,
    ).toBe('2 allowed: deprecated-operation, duplicate-create')
  })

  test('says findings that are allowed in nearly every row once, below it', () => {
    const deprecated = findingOf('deprecated-operation', 'warning')
    const found = verdictOf({}, [{ findings: [deprecated, creates] }])
    const verdicts = [found, verdictOf({}, [{ findings: [deprecated] }]), found, verdictOf({}, [{}])]
    expect(matrixOf(verdicts).lines.slice(1)).toEqual([
      'Found in 3 of 4 situations, and allowed: deprecated-operation',
    ])
    expect(matrixOf(verdicts).rows[0]?.cells[2]?.text).toBe('1 allowed: duplicate-create')
    const failed = verdictOf({ forbid: ['deprecated-operation'] }, [{ findings: [deprecated] }])
    expect(matrixOf([found, found, failed, failed]).lines.slice(1)).toEqual([])
    expect(matrixOf([found, found]).lines.slice(1)).toEqual([])
  })

  const recovered = { kind: 'recovered', afterMs: 1, clientMs: 1 } as const

  test.each<[mark: string, expects: Rehearsal['expects'], run: Deviation]>([
    ['allowed', 'either', { exitCode: 1 }],
    ['allowed', 'either', { exitCode: 1, recovery: gaveUp }],
    ['passed', 'either', { exitCode: 1, recovery: recovered }],
    ['passed', 'either', { recovery: gaveUp }],
    ['passed', 'failure', { exitCode: 1 }],
    ['failed', 'success', { exitCode: 1 }],
    ['failed', 'either', { hung: true }],
    ['not-met', 'either', { exitCode: 1, unmet: 'made 1 call' }],
  ])('marks as %s: expected %s, %j', (mark, expects, run) => {
    const verdict = verdictOf({ expects }, [run])
    expect(markOf(verdict)).toBe(mark)
    expect(formatResult(verdict)).toBe(
      mark === 'allowed' ? 'allowed to fail' : mark === 'not-met' ? 'not met' : mark,
    )
  })

  test('counts what failed as it may apart from what passed', () => {
    const verdicts = [verdictOf({}, [{ exitCode: 1 }]), verdictOf({}, [{}])]
    expect(formatCounts(verdicts)).toBe('1 of 2 situations passed, 1 allowed to fail')
  })

  test.each<[expects: Rehearsal['expects'], exitCode: number, shown: string]>([
    ['either', 1, '1 (any)'],
    ['either', 0, '0'],
    ['either', 139, '139'],
    ['failure', 1, '1'],
    ['success', 1, '1'],
  ])('where %s is expected, exit code %d is shown as %s', (expects, exitCode, shown) => {
    expect(matrixOf([verdictOf({ expects }, [{ exitCode }])]).rows[0]?.cells[1]?.text).toBe(shown)
  })
})

test('only a failed run shows its output and the calls around its failure', () => {
  const calls = [{ what: 'GET /v1/pets → 429', detail: '', request: 17, hasFailed: true }]
  const shown = ({ callsAround, output }: ReturnType<typeof verdictOf>) => ({
    calls: callsAround.length,
    output,
  })
  expect(shown(verdictOf({}, [{ calls }]))).toEqual({ calls: 0, output: '' })
  const findings = [findingOf('early-retry')]
  expect(shown(verdictOf({}, [{ calls, findings }]))).toEqual({ calls: 1, output: 'the output' })
})
