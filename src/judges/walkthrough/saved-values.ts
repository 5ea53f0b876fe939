import { isJsonArray, isJsonObject } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { referencesIn, replaceReferences } from '../../base/text/references.ts'
import type { CallStep } from '../../control/scenario/file.ts'
import { nextLink } from '../../service/call/link.ts'
import { readQuery, readTarget } from '../../service/call/target.ts'
import type { Difference } from './compare.ts'
import type { Impossible, PlayedAnswer, WholeAnswer } from './target.ts'

type SavedValues = ReadonlyMap<string, JsonValue>

/** The call of a step with the saved values in it, or why it cannot be made. */
export function useSaved(step: CallStep, saved: SavedValues): CallStep | Impossible {
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
export function saveValues(
  { save = {}, call }: CallStep,
  answers: readonly PlayedAnswer[],
  saved: Map<string, JsonValue>,
): readonly Difference[] {
  const last = answers.at(-1)
  return Object.entries(save).flatMap(([name, source]) => {
    const value = last === undefined || 'fails' in last ? undefined : valueAt(source, last, call)
    if (value === undefined) {
      saved.delete(name)
      return [{ what: `save.${name}`, expected: source, got: '–' }]
    }
    saved.set(name, value)
    return []
  })
}

function valueAt(source: string, { headers, text }: WholeAnswer, call: string): JsonValue | undefined {
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
    (value, part) =>
      isJsonArray(value) ? value[Number(part)] : isJsonObject(value) ? own(value, part) : undefined,
    read.value,
  )
}

function own(value: Readonly<Record<string, JsonValue>>, name: string): JsonValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined
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
