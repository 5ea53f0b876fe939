import { countIn } from '../../base/count-in.ts'
import { isJsonArray, isJsonObject } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { formatCount } from '../../base/text/quantities.ts'
import { type Path, showPath } from '../../control/files/show.ts'
import type { CallStep, Expectation, HeaderExpectation } from '../../control/scenario/file.ts'
import type { Failure } from '../../service/call/fault.ts'
import type { PlayedAnswer, WalkthroughTarget, WholeAnswer } from './target.ts'

export interface Difference {
  /** Such as `status`, `Retry-After` or `body.code`. */
  readonly what: string
  readonly expected: string
  readonly got: string
}

/**
 * Compares the answers to a step with its expectation. Headers and body are those of the last answer. `unjudged` has a
 * sentence for each header that this target cannot judge.
 */
export function compare(
  { expect }: CallStep,
  answers: readonly PlayedAnswer[],
  cannotJudge: WalkthroughTarget['cannotJudge'],
) {
  if (expect === undefined) return { differences: [], unjudged: [] }
  if (expect.fails !== undefined)
    return { differences: failureDifferences(expect.fails, answers), unjudged: [] }
  const last = answers.at(-1)
  const whole = last === undefined || 'fails' in last ? undefined : last
  const differences: Difference[] = [...statusDifferences(expect, answers)]
  const unjudged: string[] = []
  for (const [name, value] of Object.entries(expect.headers ?? {})) {
    // Only a value may depend on the target: presence can be compared everywhere.
    const reason = value === true || value === null ? undefined : cannotJudge(name.toLowerCase())
    if (reason !== undefined) unjudged.push(`${name} is not judged: ${reason}`)
    else if (whole !== undefined) differences.push(...headerDifferences(name, value, whole))
  }
  if (whole !== undefined) differences.push(...contentDifferences(expect, whole))
  return { differences, unjudged }
}

/** How often each outcome occurred, in order: `200 ×60, 429 ×10`. */
export function countOutcomes(answers: readonly PlayedAnswer[]): string {
  const counts = new Map<string, number>()
  for (const answer of answers) {
    const outcome = 'fails' in answer ? `no answer (${answer.fails})` : `${answer.status}`
    countIn(counts, outcome)
  }
  return showCounts([...counts])
}

function showCounts(counts: readonly (readonly [string, number])[]): string {
  const shown = counts.filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1))
  return shown.map(([outcome, count]) => (count === 1 ? outcome : `${outcome} ×${count}`)).join(', ')
}

function statusDifferences({ status, statuses }: Expectation, answers: readonly PlayedAnswer[]) {
  const got = countOutcomes(answers)
  if (status === undefined && statuses === undefined)
    return answers.some(answer => 'fails' in answer) ? [{ what: 'status', expected: 'an answer', got }] : []
  const expected = showCounts(
    statuses === undefined ? [[`${status}`, answers.length]] : Object.entries(statuses),
  )
  return expected === got ? [] : [{ what: 'status', expected, got }]
}

function failureDifferences(fails: Failure, answers: readonly PlayedAnswer[]): readonly Difference[] {
  const isAsExpected = (answer: PlayedAnswer) =>
    'fails' in answer
      ? answer.fails === fails
      : fails === 'malformed' && answer.text !== '' && 'problem' in readJson(answer.text)
  if (answers.every(isAsExpected)) return []
  return [{ what: 'fails', expected: fails, got: countOutcomes(answers) }]
}

function headerDifferences(name: string, value: HeaderExpectation, { headers }: WholeAnswer) {
  const got = headers[name.toLowerCase()]
  const hasPassed =
    value === true ? got !== undefined : value === null ? got === undefined : got === `${value}`
  const expected = value === true ? 'any value' : value === null ? '–' : `${value}`
  return hasPassed ? [] : [{ what: name, expected, got: got ?? '–' }]
}

function contentDifferences({ body, length }: Expectation, { text }: WholeAnswer): readonly Difference[] {
  if (body === undefined && length === undefined) return []
  const read = readJson(text)
  if ('problem' in read)
    return [{ what: 'body', expected: 'JSON', got: text === '' ? 'nothing' : showJson(text) }]
  const { value } = read
  const found = body === undefined ? [] : bodyDifferences(body, value)
  if (length === undefined || (isJsonArray(value) && value.length === length)) return found
  const got = isJsonArray(value) ? formatCount(value.length, 'item') : showJson(value)
  return [...found, { what: 'length', expected: formatCount(length, 'item'), got }]
}

/**
 * Compares the expected fields of maps, all items of lists, and exact values of everything else, int64s included. An expected
 * null means null or absent.
 */
function bodyDifferences(
  expected: JsonValue,
  got: JsonValue | undefined,
  path: Path = ['body'],
): readonly Difference[] {
  if (expected === null && got === undefined) return []
  const what = showPath(path)
  if (isJsonArray(expected) && isJsonArray(got)) {
    if (expected.length === got.length)
      return expected.flatMap((item, index) => bodyDifferences(item, got[index], [...path, index]))
    return [{ what, expected: formatCount(expected.length, 'item'), got: formatCount(got.length, 'item') }]
  }
  if (isJsonObject(expected) && isJsonObject(got))
    return Object.entries(expected).flatMap(([name, value]) =>
      bodyDifferences(value, Object.hasOwn(got, name) ? got[name] : undefined, [...path, name]),
    )
  if (expected === got) return []
  return [{ what, expected: showJson(expected), got: showJson(got) }]
}

function showJson(value: JsonValue | undefined): string {
  if (value === undefined) return '–'
  const text = writeJson(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
