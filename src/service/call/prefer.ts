import { maxDelayMs } from './fault.ts'

/** What a call asks of its own reply, as far as pet-mock can do it. */
export interface Preferences {
  /** Any status of 4xx and 5xx. */
  readonly code: number | undefined
  /** Milliseconds, at most `maxDelayMs`. */
  readonly delayMs: number | undefined
}

/**
 * Reads `Prefer: code=503, delay=250` (RFC 7240, section 2): in one header or in several, names in any case, values
 * bare or quoted. The first of a repeated preference counts. Ignores others; undefined when nothing is left.
 */
export function readPreferences(headers: readonly string[]): Preferences | undefined {
  const value = allOf(headers, 'prefer')
  if (value === undefined) return undefined
  const given = new Map<string, string>()
  for (const [item] of value.matchAll(listItem)) {
    const [, name = '', text = ''] = preference.exec(item) ?? []
    if (!given.has(name.toLowerCase())) given.set(name.toLowerCase(), unquote(text))
  }
  const code = /^[45]\d\d$/.test(given.get('code') ?? '') ? Number(given.get('code')) : undefined
  const delay = /^\d{1,7}$/.test(given.get('delay') ?? '') ? Number(given.get('delay')) : undefined
  const delayMs = delay !== undefined && delay <= maxDelayMs ? delay : undefined
  return code === undefined && delayMs === undefined ? undefined : { code, delayMs }
}

/** The value of `Preference-Applied` (RFC 7240, section 3). */
export function formatPreferences({ code, delayMs }: Preferences): string {
  const met = [code === undefined ? '' : `code=${code}`, delayMs === undefined ? '' : `delay=${delayMs}`]
  return met.filter(text => text !== '').join(', ')
}

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
