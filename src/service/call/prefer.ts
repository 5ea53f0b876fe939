import { clip } from './echo.ts'
import { maxDelayMs } from './fault.ts'

/** Lists what a reply meets (RFC 7240, section 3). */
export const appliedHeader = 'Preference-Applied'

export interface Preferences {
  /** Any status of 4xx and 5xx. */
  readonly code: number | undefined
  /** The name of an example of the contract. */
  readonly example: string | undefined
  /** A status of 1xx to 3xx: met only if the call gets it anyway. */
  readonly success: number | undefined
  /** Milliseconds, at most `maxDelayMs`. */
  readonly delayMs: number | undefined
  readonly unmet: readonly Unmet[]
}

export interface Unmet {
  /** As sent: `code=99`. */
  readonly text: string
  /** A clause without its full stop. */
  readonly why: string
}

/**
 * Reads `Prefer: code=503, delay=250` (RFC 7240, section 2): in one header or in several, names in any case, values
 * bare or quoted. The first of a repeated preference counts. Undefined if there is nothing to read.
 */
export function readPreferences(headers: readonly string[]): Preferences | undefined {
  const value = allOf(headers, 'prefer')
  if (value === undefined) return undefined
  const given = new Map<string, string>()
  const unmet: Unmet[] = []
  for (const [item] of value.matchAll(listItem)) {
    const text = clip(item.trim(), longestText)
    if (text === '') continue
    const [, named, raw = ''] = preference.exec(item) ?? []
    const name = named?.toLowerCase()
    const why = name === undefined ? 'it is not a preference' : whyNot(name, unquote(raw), given)
    if (why !== undefined && unmet.length < mostUnmet) unmet.push({ text, why })
    if (name !== undefined && !given.has(name)) given.set(name, unquote(raw))
  }
  const code = numberOf(given.get('code'), isStatus)
  const delayMs = numberOf(given.get('delay'), isDelay)
  const named = given.get('example')
  const example = named !== undefined && isName(named) ? named : undefined
  if (code === undefined && delayMs === undefined && example === undefined && unmet.length === 0)
    return undefined
  const isError = code !== undefined && code >= 400
  return { code: isError ? code : undefined, success: isError ? undefined : code, example, delayMs, unmet }
}

/** Why a preference cannot be met; undefined if it can be. */
function whyNot(name: string, value: string, before: ReadonlyMap<string, string>): string | undefined {
  if (before.has(name)) return `${name} was given before`
  if (name === 'code') return isStatus(value) ? undefined : 'code must be a status from 400 to 599'
  if (name === 'delay')
    return isDelay(value) ? undefined : `delay must be milliseconds, as a whole number up to ${maxDelayMs}`
  if (name === 'example') return isName(value) ? undefined : 'example must name an example of the contract'
  return 'pet-mock has no such preference'
}

function isStatus(text: string): boolean {
  return /^[1-5]\d\d$/.test(text)
}

/** Names of examples that `Preference-Applied` can repeat. */
function isName(text: string): boolean {
  return /^[\w.-]{1,60}$/.test(text)
}

function isDelay(text: string): boolean {
  return /^\d{1,7}$/.test(text) && Number(text) <= maxDelayMs
}

function numberOf(text: string | undefined, accepts: (text: string) => boolean): number | undefined {
  return text !== undefined && accepts(text) ? Number(text) : undefined
}

/** A header may hold thousands. */
const mostUnmet = 5

/** Shown characters of a preference that was not met. */
const longestText = 60

const listItem = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const preference = new RegExp(
  `^[ \\t]*(${token})(?:[ \\t]*=[ \\t]*(${token}|"(?:[^"\\\\]|\\\\.)*"))?[ \\t]*(?:;.*)?$`,
)

function unquote(word: string): string {
  return word.startsWith('"') ? word.slice(1, -1).replace(/\\(.)/g, '$1') : word
}

/** The values of a list header: several lines are one list (RFC 9110, section 5.3). */
function allOf(headers: readonly string[], name: string): string | undefined {
  let all: string | undefined
  for (let index = 0; index < headers.length; index += 2) {
    const candidate = headers[index]
    if (candidate?.length !== name.length || candidate.toLowerCase() !== name) continue
    all = all === undefined ? headers[index + 1] : `${all}, ${headers[index + 1]}`
  }
  return all
}
