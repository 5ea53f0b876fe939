import { describe, expect, test } from 'vitest'
import { formatComplaint } from '../../../src/control/files/complaint.ts'
import {
  type Baseline,
  compareBaseline,
  readBaseline,
  writeBaseline,
} from '../../../src/judges/rehearsal/baseline.ts'
import { isFailing } from '../../../src/judges/rehearsal/verdict.ts'
import { type Deviation, findingOf, openCalls, verdictOf } from './client-runs.ts'

const exits: Deviation = { exitCode: 1 }
const retries: Deviation = { findings: [findingOf('early-retry')] }
const both: Deviation = { ...exits, ...retries }
const judge = (runs: readonly Deviation[], name = 'ban') => verdictOf({ expects: 'success' }, runs, { name })
const existing = ['ban', 'outage', 'slow']

async function read(text: string): Promise<Baseline> {
  const reading = await readBaseline('known.json', text)
  if (!reading.ok) throw new Error(reading.complaints.map(formatComplaint).join('\n'))
  return reading.value
}

/** The result of runs against the baseline of earlier ones. */
async function compare(before: readonly Deviation[], after: readonly Deviation[]) {
  const baseline = await read(writeBaseline([judge(before)]))
  const { verdicts, notes } = compareBaseline([judge(after)], baseline, existing)
  return { fails: verdicts.some(isFailing), known: verdicts.map(({ known }) => known), notes }
}

test('a baseline lists what fails, sorted, each reason on its own line', () => {
  const verdicts = [judge([both], 'slow'), judge([{}], 'outage'), judge([{}, exits], 'ban')]
  const text = writeBaseline(verdicts)
  expect(text).toBe(`{
  "version": 1,
  "situations": {
    "ban": {
      "result": "flaky",
      "reasons": [
        "exit-code"
      ]
    },
    "slow": {
      "result": "failed",
      "reasons": [
        "early-retry",
        "exit-code"
      ]
    }
  }
}
`)
  expect(writeBaseline(verdicts.toReversed())).toBe(text)
})

test('a new baseline keeps what the old one has of situations that were not rehearsed', async () => {
  const old = await read(writeBaseline([judge([both], 'slow'), judge([exits], 'ban')]))
  const verdicts = [judge([retries], 'outage'), judge([{}], 'ban')]
  const { situations } = await read(writeBaseline(verdicts, old, existing))
  expect(situations).toEqual({
    outage: { result: 'failed', reasons: ['early-retry'] },
    slow: { result: 'failed', reasons: ['early-retry', 'exit-code'] },
  })
  expect(await read(writeBaseline(verdicts, old, ['ban', 'outage']))).toMatchObject({
    situations: { outage: { result: 'failed' } },
  })
})

describe('only what got worse fails', () => {
  const passes = 'ban passes now: remove it from the baseline.'
  const noRetry = 'ban no longer fails for early-retry: remove it from the baseline.'
  test.each<[string, readonly Deviation[], readonly Deviation[], boolean, readonly string[]]>([
    ['the same', [both], [both], false, []],
    ['nothing known, nothing wrong', [{}], [{}], false, []],
    ['a new situation', [{}], [exits], true, []],
    ['a new reason', [exits], [both], true, []],
    ['a reason less', [both], [exits], false, [noRetry]],
    ['nothing wrong any more', [both], [{}], false, [passes]],
    ['failed is flaky now', [exits], [{}, exits], false, []],
    [
      'flaky fails always now',
      [{}, exits],
      [exits, exits],
      true,
      ['ban was flaky, and fails in every run now.'],
    ],
    ['flaky fails in its only run', [{}, exits], [exits], false, []],
    ['flaky passes in its only run, which proves nothing', [{}, exits], [{}], false, []],
    ['calls are not judged, which proves nothing', [exits], [{ unjudged: openCalls(2) }], false, []],
    ['flaky passes in all runs', [{}, exits], [{}, {}], false, [passes]],
  ])('%s', async (_, before, after, fails, notes) => {
    expect(await compare(before, after)).toMatchObject({ fails, notes })
  })

  test('what is known is marked, and sorted last', async () => {
    const baseline = await read(writeBaseline([judge([exits])]))
    const [verdict] = compareBaseline([judge([both])], baseline, existing).verdicts
    expect(verdict).toMatchObject({ result: 'failed', known: false })
    expect(verdict?.reasons.map(({ id, expected }) => [id, expected])).toEqual([
      ['early-retry', undefined],
      ['exit-code', true],
    ])
  })
})

test('a situation that does not exist is reported; one that was not rehearsed is not', async () => {
  const baseline = await read(writeBaseline([judge([exits], 'slow'), judge([exits], 'gone')]))
  expect(compareBaseline([judge([{}], 'outage')], baseline, existing).notes).toEqual([
    'The baseline has gone, which is no situation of this rehearsal: remove it from the file, or name its file with --scenario.',
  ])
  expect(compareBaseline([judge([exits], 'constructor')], baseline, existing).verdicts).toMatchObject([
    { known: false },
  ])
})

describe('a broken file', () => {
  test.each([
    ['known.json', '', 'known.json:1:1: the file is empty'],
    ['known.json', '{"version": 1,}', 'known.json:1:15: not valid JSON: '],
    [
      'known.json',
      '{"version": 1,\n "situations": {"ban": {"result": "fine", "reasons": []}}}',
      'known.json:2:35: situations.ban.result',
    ],
    ['known.json', '{"version": 2, "situations": {}}', 'known.json:1:13: version'],
    [
      'known.yaml',
      'version: 1\nsituations:\n  ban: { result: failed, reasons: [early-retri] }',
      'did you mean early-retry',
    ],
    ['known.yaml', 'version: 1\nsituation: {}', 'known.yaml:2:1: '],
  ])('%s with %s', async (file, text, complaint) => {
    const reading = await readBaseline(file, text)
    if (reading.ok) throw new Error('It was read.')
    expect(reading.complaints.map(formatComplaint).join('\n')).toContain(complaint)
  })
})

describe('a situation that was not met', () => {
  const unmet = { unmet: 'made 1 call; no rule acted' }

  test('is no failure to write', () => {
    expect(JSON.parse(writeBaseline([judge([unmet])]))).toEqual({ version: 1, situations: {} })
  })

  test('proves nothing: its entry stays, and is not out of date', async () => {
    const text = writeBaseline([judge([exits])])
    const baseline = await read(text)
    expect(writeBaseline([judge([unmet])], baseline, existing)).toBe(text)
    expect(await compare([exits], [unmet])).toEqual({ fails: false, known: [false], notes: [] })
  })
})
