import { isIP } from 'node:net'
import { anyDuration, anyInstant, type Constraint, numbers } from '../../base/text/constraint.ts'
import { suggest } from '../../base/text/did-you-mean.ts'
import { parseSize } from '../../base/text/quantities.ts'
import { parseDuration } from '../../base/time/duration.ts'
import { showValue } from '../../control/files/show.ts'
import { type JournalLimits, usualJournal } from '../../emulator/journal/journal.ts'
import type { AllowedOrigins } from '../../emulator/replies/cors.ts'
import { clockStarts, keyNames } from '../../emulator/worlds/constraints.ts'
import { maskFreeText } from '../../service/keys/mask-text.ts'
import { type FlagReading, itemsOf, many, type Parse, right, wrong } from './flag.ts'

export const logFormats = ['pretty', 'json', 'silent'] as const
export type LogFormat = (typeof logFormats)[number]

export const stateSyncs = ['second', 'always'] as const
export type StateSync = (typeof stateSyncs)[number]

/** How the clock starts. Without `at`, as the scenario says. */
interface ClockChoice {
  readonly at: string | undefined
  readonly frozen: boolean
}

type Expectation = Pick<Constraint, 'expected' | 'accepts'>

function unexpected(expected: string, text: string, hint = '') {
  return wrong(`expected ${expected}, found ${showValue(maskFreeText(text))}${hint}`)
}

export function numberOf({ expected, accepts }: Expectation): Parse<number> {
  return text => {
    const value = /^[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : undefined
    return value !== undefined && accepts(value) ? right(value) : unexpected(expected, text)
  }
}

export function textOf({ expected, accepts }: Expectation): Parse<string> {
  return text => (accepts(text) ? right(text) : unexpected(expected, text))
}

export function wordOf<T extends string>(words: readonly T[]): Parse<T> {
  return text => {
    const word = words.find(known => known === text)
    return word === undefined
      ? unexpected(`one of ${words.join(', ')}`, text, suggest(text, words))
      : right(word)
  }
}

/** Splits at the last `=`: a key may contain one, a plan may not. */
export function readKey(text: string): FlagReading<{ readonly name: string; readonly plan: string }> {
  const split = text.lastIndexOf('=')
  const [name, plan] = [text.slice(0, Math.max(0, split)), text.slice(split + 1)]
  if (split < 1 || plan === '') return unexpected('NAME=PLAN, such as my-app=free', text)
  return keyNames.accepts(name) ? right({ name, plan }) : unexpected(keyNames.expected, name)
}

export function readClock(text: string): FlagReading<ClockChoice> {
  if (text === 'frozen') return right({ at: undefined, frozen: true })
  return clockStarts.accepts(text)
    ? right({ at: text, frozen: false })
    : unexpected(`frozen or ${clockStarts.expected}`, text)
}

/** A name with at least one letter or digit, such as `X-Tenant`. */
export function readMaskedName(text: string): FlagReading<string> {
  return /[\p{L}\p{N}]/u.test(text) ? right(text) : unexpected('a name such as X-Tenant', text)
}

export const readDurationText = textOf(anyDuration)
export const readInstantText = textOf(anyInstant)
/** The server checks the range. */
export const readScale = numberOf(numbers('a number, such as 30', 0))

/** Milliseconds. */
export function readDurationFlag(text: string): FlagReading<number> {
  const ms = parseDuration(text)
  return ms === undefined ? unexpected(anyDuration.expected, text) : right(ms)
}

export function readUrl(text: string): FlagReading<URL> {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  return url === undefined ? unexpected('a URL, such as http://127.0.0.1:7387/v1', text) : right(url)
}

/** What flags for a duration share, and those for the base URL of an archive. */
export const duration = { value: 'DURATION', parse: readDurationFlag }
export const archiveUrl = { variable: 'PET_MOCK_ARCHIVE_URL', value: 'URL', parse: readUrl }

/** The URL of the API for clients, without a slash at its end. Without a path, `/v1` is added. */
export function readBaseUrl(text: string): FlagReading<string> {
  const url = readUrl(text)
  if (!url.ok) return unexpected('a URL, such as https://pets.test/v1', text)
  const { origin, pathname, search, hash, username, password } = url.value
  if (`${search}${hash}${username}${password}` !== '')
    return unexpected('a URL without a query, a fragment and a user', text)
  const path = pathname.replace(/\/+$/, '')
  return right(`${origin}${path === '' ? '/v1' : path}`)
}

/** Bytes. Node cannot hold a larger text. */
const mostSize = 500 * 2 ** 20

export function readSize(text: string): FlagReading<number> {
  const bytes = parseSize(text)
  return bytes !== undefined && bytes > 0 && bytes <= mostSize
    ? right(bytes)
    : unexpected('a size of at most 500MB, such as 64MB', text)
}

/** A bearer token (RFC 6750, section 2.1). It is secret, so no complaint shows it. */
export function readToken(text: string): FlagReading<string> {
  return /^[A-Za-z0-9._~+/-]+=*$/.test(text)
    ? right(text)
    : wrong('expected a token of letters, digits and . _ ~ + / -')
}

/** A host to listen on. An IPv6 address may have the brackets of a URL. */
export function readHost(text: string): FlagReading<string> {
  const host = text.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) > 0 || isHostName(host) ? right(host) : unexpected('a host name or an IP address', text)
}

/** Host names in lower case, or `*`. */
export function readHostNames(texts: readonly string[]): FlagReading<readonly string[] | '*'> {
  return itemsOf(texts).includes('*') ? right('*') : readHostList(texts)
}

/** A leading dot means a domain with its subdomains. */
const readHostList = many(text => {
  const name = text.toLowerCase().replace(/(?<=[^.])\.$/, '')
  const domain = name.startsWith('.') ? name.slice(1) : undefined
  if (domain === undefined) {
    const hint = name.startsWith('*.') ? `; write ${name.slice(1)} for a domain and its subdomains` : ''
    return isHostName(name)
      ? right(name)
      : unexpected('a host name without a port, such as pets.test', text, hint)
  }
  // Anyone can register a name below a single label, such as .com.
  const isDomain = isHostName(domain) && /^[^.]+(?:\.[^.]+)+$/.test(domain) && isIP(domain) === 0
  return isDomain ? right(name) : unexpected('a domain of at least two names, such as .example.com', text)
})

/** Browsers send origins in lower case and without the default port. */
const readOriginList = many(text => {
  const origin = text.toLowerCase()
  if (/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/.test(origin))
    return right(origin.replace(/^(http:.*):80$|^(https:.*):443$/, '$1$2'))
  return unexpected('an origin, such as https://shop.example', text, hintAtOrigin(origin))
})

function hintAtOrigin(text: string): string {
  if (text === 'null') return '; many kinds of pages send null, so allow all origins with *'
  // People copy the address of a page.
  const meant = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+(?=[/?#])/.exec(text)?.[0]
  return meant === undefined ? '' : `; did you mean ${meant}?`
}

/** Origins besides the loopback ones, `none` instead of these, or `*`. */
export function readOrigins(texts: readonly string[]): FlagReading<AllowedOrigins> {
  const items = itemsOf(texts)
  const others = items.filter(item => item.toLowerCase() !== 'none')
  const loopback = others.length === items.length
  if (others.includes('*')) return loopback ? right('*') : wrong('expected none or *, found both')
  const reading = readOriginList(others)
  return reading.ok ? right({ loopback, listed: reading.value }) : reading
}

function isHostName(text: string): boolean {
  return /^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?$/i.test(text)
}

/** More calls than that do not fit in the memory of a Node process. */
const mostEntries = 10_000_000
/** One call with long headers and bodies takes up to 64 KB. */
const leastBytes = 2 ** 20

const expected = 'a size of at least 1MB such as 64MB, a number of calls such as 1000, or both as 1000,64MB'

/** Reads `64MB`, `1000`, both with a comma, or `0`. What is not given keeps its default. */
export function readJournal(text: string): FlagReading<JournalLimits> {
  let limits: Partial<JournalLimits> = {}
  for (const item of text.split(',').map(part => part.trim())) {
    const limit = readLimit(item)
    const isRepeated = limit !== undefined && Object.keys(limit).some(name => Object.hasOwn(limits, name))
    if (limit === undefined || isRepeated) return wrong(`expected ${expected}, found ${showValue(text)}`)
    limits = { ...limits, ...limit }
  }
  return right({ ...usualJournal, ...limits })
}

function readLimit(item: string): Partial<JournalLimits> | undefined {
  const entries = /^\d+$/.test(item) ? Number(item) : undefined
  if (entries !== undefined) return entries <= mostEntries ? { entries } : undefined
  const bytes = parseSize(item)
  return bytes !== undefined && bytes >= leastBytes ? { bytes } : undefined
}
