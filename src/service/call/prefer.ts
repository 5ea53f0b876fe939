import { clip } from './echo.ts'
import { maxDelayMs } from './fault.ts'
import { linesOf } from './headers.ts'

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
  // Several lines are one list (RFC 9110, section 5.3).
  const value = linesOf(headers, 'prefer').join(', ')
  if (value === '') return undefined
  /** Undefined: a value that cannot be met. */
  const given = new Map<string, string | undefined>()
  const unmet: Unmet[] = []
  for (const [item] of value.matchAll(listItem)) {
    const text = clip(item.trim(), longestText)
    if (text === '') continue
    const [, named, raw = ''] = preference.exec(item) ?? []
    const name = named?.toLowerCase()
    const isRepeated = name !== undefined && given.has(name)
    const why = isRepeated ? `${name} was given before` : whyNot(name, unquote(raw))
    if (why !== undefined && unmet.length < mostUnmet) unmet.push({ text, why })
    if (name !== undefined && !isRepeated) given.set(name, why === undefined ? unquote(raw) : undefined)
  }
  const numberOf = (name: string) => (given.get(name) === undefined ? undefined : Number(given.get(name)))
  const code = numberOf('code')
  const delayMs = numberOf('delay')
  const example = given.get('example')
  if (code === undefined && delayMs === undefined && example === undefined && unmet.length === 0)
    return undefined
  const isError = code !== undefined && code >= 400
  return { code: isError ? code : undefined, success: isError ? undefined : code, example, delayMs, unmet }
}

/** Why a preference cannot be met; undefined if it can be. */
function whyNot(name: string | undefined, value: string): string | undefined {
  switch (name) {
    case undefined:
      return 'it is not a preference'
    case 'code':
      return /^[1-5]\d\d$/.test(value) ? undefined : 'code must be a status from 400 to 599'
    case 'delay':
      return /^\d{1,7}$/.test(value) && Number(value) <= maxDelayMs
        ? undefined
        : `delay must be milliseconds, as a whole number up to ${maxDelayMs}`
    // Names that `Preference-Applied` can repeat.
    case 'example':
      return /^[\w.-]{1,60}$/.test(value) ? undefined : 'example must name an example of the contract'
    default:
      return 'pet-mock has no such preference'
  }
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
