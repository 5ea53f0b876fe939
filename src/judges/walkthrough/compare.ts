import { isJsonArray } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import type { CallStep, Expectation, HeaderExpectation } from '../../control/scenario/walkthrough.ts'
import type { Failure } from '../../service/call/fault.ts'
import { bodyDifferences, type Difference, items, showJson } from './body-differences.ts'
import type { Answer, WalkthroughTarget, WholeAnswer } from './target.ts'

export interface Comparison {
  readonly differences: readonly Difference[]
  /** What could not be judged on this stage, a sentence each. */
  readonly unjudged: readonly string[]
}

/** How the answers of a step compare with what it expects of them. */
export function compare(
  { expect }: CallStep,
  answers: readonly Answer[],
  cannotJudge: WalkthroughTarget['cannotJudge'],
): Comparison {
  if (expect === undefined) return { differences: [], unjudged: [] }
  if (expect.fails !== undefined)
    return { differences: failureDifferences(expect.fails, answers), unjudged: [] }
  const last = answers.at(-1)
  const headers = Object.entries(expect.headers ?? {})
  // Whether a header is there can be told anywhere: only a value may depend on where it is asked for.
  const whyNot = ([name, value]: readonly [string, HeaderExpectation]) =>
    value === true || value === null ? undefined : cannotJudge(name.toLowerCase())
  const judged = headers.filter(header => whyNot(header) === undefined)
  const differences = [
    ...statusDifferences(expect, answers),
    ...(last === undefined || 'fails' in last
      ? []
      : [
          ...judged.flatMap(([name, value]) => headerDifferences(name, value, last)),
          ...contentDifferences(expect, last),
        ]),
  ]
  const unjudged = headers.flatMap(header => {
    const why = whyNot(header)
    return why === undefined ? [] : [`${header[0]} is not compared: ${why}`]
  })
  return { differences, unjudged }
}

/** How often each outcome occurred, in order: `200 ×60, 429 ×10`. */
export function tally(answers: readonly Answer[]): string {
  const counts = new Map<string, number>()
  for (const answer of answers) {
    const outcome = outcomeOf(answer)
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  }
  return showCounts([...counts])
}

function outcomeOf(answer: Answer): string {
  return 'fails' in answer ? `no answer (${answer.fails})` : `${answer.status}`
}

function showCounts(counts: readonly (readonly [string, number])[]): string {
  const shown = counts.filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1))
  return shown.map(([outcome, count]) => (count === 1 ? outcome : `${outcome} ×${count}`)).join(', ')
}

function statusDifferences(
  { status, statuses }: Expectation,
  answers: readonly Answer[],
): readonly Difference[] {
  const got = tally(answers)
  const expected =
    statuses !== undefined
      ? showCounts(Object.entries(statuses))
      : showCounts([[`${status ?? ''}`, answers.length]])
  if (status === undefined && statuses === undefined) {
    const failed = answers.find(answer => 'fails' in answer)
    return failed === undefined ? [] : [{ what: 'status', expected: 'an answer', got }]
  }
  return expected === got ? [] : [{ what: 'status', expected, got }]
}

function failureDifferences(fails: Failure, answers: readonly Answer[]): readonly Difference[] {
  const isAsExpected = (answer: Answer) =>
    'fails' in answer
      ? answer.fails === fails
      : fails === 'malformed' && answer.text !== '' && 'problem' in readJson(answer.text)
  if (answers.every(isAsExpected)) return []
  return [{ what: 'fails', expected: fails, got: tally(answers) }]
}

function headerDifferences(
  name: string,
  expected: HeaderExpectation,
  { headers }: WholeAnswer,
): readonly Difference[] {
  const got = headers[name.toLowerCase()]
  if (expected === true) {
    return got === undefined ? [{ what: name, expected: 'any value', got: '–' }] : []
  }
  if (expected === null) return got === undefined ? [] : [{ what: name, expected: '–', got }]
  return got === `${expected}` ? [] : [{ what: name, expected: `${expected}`, got: got ?? '–' }]
}

function contentDifferences({ body, length }: Expectation, { text }: WholeAnswer): readonly Difference[] {
  if (body === undefined && length === undefined) return []
  const read = readJson(text)
  if ('problem' in read) {
    return [{ what: 'body', expected: 'JSON', got: text === '' ? 'nothing' : showJson(text) }]
  }
  const { value } = read
  const found = body === undefined ? [] : bodyDifferences(body, value)
  if (length === undefined || (isJsonArray(value) && value.length === length)) return found
  const got = isJsonArray(value) ? items(value.length) : showJson(value)
  return [...found, { what: 'length', expected: items(length), got }]
}
