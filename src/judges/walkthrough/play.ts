import { isJsonArray, isJsonObject } from '../../base/json/is-object.ts'
import { valueAt } from '../../base/json/pointer.ts'
import { readJson } from '../../base/json/read.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { referencesIn, replaceReferences } from '../../base/text/references.ts'
import { parseDuration } from '../../base/time/duration.ts'
import { type CallStep, type Command, type Step, timesOf } from '../../control/scenario/file.ts'
import { clip } from '../../service/call/echo.ts'
import { nextLink } from '../../service/call/link.ts'
import { readQuery, readTarget } from '../../service/call/target.ts'
import { compare, countOutcomes, type Difference } from './compare.ts'
import type {
  Done,
  Impossible,
  PlayedAnswer,
  WalkthroughCall,
  WalkthroughTarget,
  WholeAnswer,
} from './target.ts'

export interface PlayedStep {
  readonly step: Step
  /** The number of calls, and their outcomes: `200 ×60, 429 ×10`. */
  readonly calls: number
  readonly outcome: string
  readonly differences: readonly Difference[]
  readonly unjudged: readonly string[]
  readonly impossible?: string
  /** Whether the steps after an impossible one can be played. */
  readonly goesOn?: true
}

/** Plays a walkthrough, up to an impossible step after which nothing can be played. `key` is the key of the scenario. */
export async function* play(steps: readonly Step[], key: string, target: WalkthroughTarget) {
  const saved = new Map<string, JsonValue>()
  for (const step of steps) {
    const played = await playStep(step, key, target, saved)
    yield played
    if (played.impossible !== undefined && !played.goesOn) return
  }
}

export function hasPassed(steps: readonly Step[], played: readonly PlayedStep[]): boolean {
  return (
    played.length === steps.length &&
    played.every(({ differences, impossible }) => differences.length === 0 && impossible === undefined)
  )
}

/** Plays one step. `saved`: the values that earlier steps saved; it adds its own. */
export async function playStep(
  step: Step,
  key: string,
  target: WalkthroughTarget,
  saved: Map<string, JsonValue>,
): Promise<PlayedStep> {
  if ('call' in step) return await playCall(step, key, target, saved)
  let done: Done = { ok: true }
  if ('advance' in step) done = await target.advance(parseDuration(step.advance) ?? 0)
  if ('change' in step) done = await target.change(step.change)
  return withoutCalls(step, done)
}

function withoutCalls(step: Step, done: Done): PlayedStep {
  const played = { step, calls: 0, outcome: '', differences: [], unjudged: [] }
  if (done.ok) return played
  const { impossible, goesOn } = done
  return { ...played, impossible, ...(goesOn && { goesOn }) }
}

async function playCall(
  written: CallStep,
  key: string,
  target: WalkthroughTarget,
  saved: Map<string, JsonValue>,
): Promise<PlayedStep> {
  const step = useSaved(written, saved)
  if ('impossible' in step) return withoutCalls(written, step)
  const call = toCall(step, step.key === undefined ? key : step.key)
  const outcomes = await callAll(step, () => target.call(call))
  const answers = outcomes.flatMap(outcome => ('impossible' in outcome ? [] : [outcome]))
  const made = { step: written, calls: answers.length, outcome: countOutcomes(answers) }
  const missing = outcomes.find(outcome => 'impossible' in outcome)
  if (missing !== undefined) return { ...made, differences: [], unjudged: [], impossible: missing.impossible }
  const unsaved = saveValues(step, answers, saved)
  const expect = useExpected(step, saved)
  const { differences, unjudged } = compare({ ...step, expect }, answers, target.cannotJudge)
  return { ...made, differences: [...unsaved, ...differences], unjudged }
}

/** The call of a step, with `key` in its Authorization. */
export function toCall(
  { call, headers = {}, body }: Pick<CallStep, 'call' | 'headers' | 'body'>,
  key: string | null,
): WalkthroughCall {
  const [method = '', target = ''] = call.split(' ')
  const given = Object.entries(headers).map(([name, value]) => [name, `${value}`] as const)
  const has = (name: string) => given.some(([other]) => other.toLowerCase() === name)
  const defaults: (readonly [string, string])[] = []
  if (key !== null && !has('authorization')) defaults.push(['Authorization', `Bearer ${key}`])
  if (body !== undefined && !has('content-type')) defaults.push(['Content-Type', 'application/json'])
  const text = body === undefined || typeof body === 'string' ? body : writeJson(body)
  return { method, target, headers: [...defaults, ...given].flat(), body: text }
}

async function callAll(step: CallStep, call: () => ReturnType<WalkthroughTarget['call']>) {
  const times = timesOf(step)
  if (step.parallel !== undefined) return await Promise.all(Array.from({ length: times }, call))
  const outcomes: (PlayedAnswer | Impossible)[] = []
  while (outcomes.length < times) {
    const outcome = await call()
    outcomes.push(outcome)
    if ('impossible' in outcome) break
  }
  return outcomes
}

/** A step in one line; empty if it is only a note. */
export function describeStep(step: Step): string {
  if ('call' in step) {
    const times = timesOf(step)
    const how = times === 1 ? '' : ` ×${times}${step.parallel === undefined ? '' : ' at once'}`
    const key =
      step.key === null ? ', without a key' : step.key === undefined ? '' : `, with the key ${step.key}`
    return `${clip(step.call, 70)}${how}${key}`
  }
  if ('advance' in step) return `advance ${step.advance}`
  return 'change' in step ? describeChange(step.change) : ''
}

function describeChange({ do: name, ...fields }: Command): string {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  const words = present.map(([field, value]) => {
    return `${field} ${typeof value === 'string' ? value : clip(writeJson(value as JsonValue), 40)}`
  })
  return [name, ...words].join(' ')
}

type SavedValues = ReadonlyMap<string, JsonValue>

/** The call of a step with the saved values in it, or why it cannot be made. */
function useSaved(step: CallStep, saved: SavedValues): CallStep | Impossible {
  const missing = referencesIn(step.call).find(name => !saved.has(name))
  if (missing !== undefined)
    return { ok: false, impossible: `there is no saved value ${missing}`, goesOn: true }
  if (saved.size === 0) return step
  const call = replaceReferences(step.call, name => encodeURIComponent(textOf(saved.get(name) ?? '')))
  return { ...fillMessage(step, saved), call }
}

/** The expectation of a step with the saved values in it, those of its own answer included. */
export function useExpected({ expect }: CallStep, saved: SavedValues): CallStep['expect'] {
  return expect === undefined || saved.size === 0 ? expect : fillMessage(expect, saved)
}

function fillMessage<
  M extends { readonly body?: JsonValue | undefined; readonly headers?: object | undefined },
>(message: M, saved: SavedValues): M {
  const { body, headers } = message
  const filled = Object.entries(headers ?? {}).map(([name, value]) => {
    return [name, typeof value === 'string' ? fillText(value, saved) : value]
  })
  return {
    ...message,
    ...(body !== undefined && { body: fill(body, saved) }),
    ...(headers !== undefined && { headers: Object.fromEntries(filled) }),
  }
}

/** Saves what a step names from its last answer. Returns what that answer lacks. */
function saveValues(
  { save = {}, call }: CallStep,
  answers: readonly PlayedAnswer[],
  saved: Map<string, JsonValue>,
): readonly Difference[] {
  const last = answers.at(-1)
  return Object.entries(save).flatMap(([name, source]) => {
    const value = last === undefined || 'fails' in last ? undefined : valueIn(last, source, call)
    if (value === undefined) {
      saved.delete(name)
      return [{ what: `save.${name}`, expected: source, got: '–' }]
    }
    saved.set(name, value)
    return []
  })
}

function valueIn({ headers, text }: WholeAnswer, source: string, call: string): JsonValue | undefined {
  const [root, ...path] = source.split(/[.[\]]+/).filter(part => part !== '')
  if (root === 'next') {
    const next = nextLink(headers.link)
    if (next === undefined) return undefined
    const { query } = readTarget(next.startsWith('?') ? call.slice(call.indexOf('/')) + next : next)
    return readQuery(query).find(({ name }) => name === source.slice('next.'.length))?.value
  }
  const read = readJson(text)
  if ('problem' in read) return undefined
  return path.reduce<JsonValue | undefined>(
    (value, part) => (isJsonArray(value) ? value[Number(part)] : valueAt(value, [part])),
    read.value,
  )
}

/** A text that is one reference gets the value with its type. */
function fill(value: JsonValue, saved: SavedValues): JsonValue {
  if (typeof value === 'string') {
    const [name = ''] = referencesIn(value)
    const whole = value === `\${${name}}` ? saved.get(name) : undefined
    return whole ?? fillText(value, saved)
  }
  if (isJsonArray(value)) return value.map(item => fill(item, saved))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fill(field, saved)]))
}

function fillText(text: string, saved: SavedValues): string {
  return replaceReferences(text, name => {
    const value = saved.get(name)
    return value === undefined ? undefined : textOf(value)
  })
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : writeJson(value)
}
