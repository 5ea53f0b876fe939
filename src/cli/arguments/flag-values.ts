import { isIP } from 'node:net'
import { suggest } from '../../base/text/did-you-mean.ts'
import { parseDuration } from '../../base/time/duration.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { showValue } from '../../control/files/show.ts'
import { keyNames } from '../../emulator/worlds/constraints.ts'
import { type FlagReading, many, right, wrong } from './flag.ts'

export const logFormats = ['pretty', 'json', 'silent'] as const
export type LogFormat = (typeof logFormats)[number]

export const contractModes = ['off', 'warn', 'error'] as const
export type ContractChoice = (typeof contractModes)[number]

/** An API key of the user's own. */
export interface KeyOfPlan {
  readonly name: string
  readonly plan: string
}

/** How the clock is to start; without `at`, where the scenario has it. */
export interface ClockChoice {
  readonly at: string | undefined
  readonly frozen: boolean
}

/** What was expected and what was found, in the words of the complaints about files. */
function unexpected(expected: string, text: string, hint = '') {
  return wrong(`expected ${expected}, found ${showValue(text)}${hint}`)
}

export function wholeNumber(what: string, most: number): (text: string) => FlagReading<number> {
  return text => {
    const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN
    return value <= most ? right(value) : unexpected(`${what} from 0 to ${most}`, text)
  }
}

export function readLogFormat(text: string): FlagReading<LogFormat> {
  return readWord(text, logFormats)
}

export function readContractMode(text: string): FlagReading<ContractChoice> {
  return readWord(text, contractModes)
}

export function readWord<T extends string>(text: string, words: readonly T[]): FlagReading<T> {
  const word = words.find(known => known === text)
  return word === undefined
    ? unexpected(`one of ${words.join(', ')}`, text, suggest(text, words))
    : right(word)
}

/** Split at the last `=`, since a key may end in `=` and a plan's name should not. */
export function readKey(text: string): FlagReading<KeyOfPlan> {
  const split = text.lastIndexOf('=')
  const [name, plan] = [text.slice(0, Math.max(0, split)), text.slice(split + 1)]
  if (split < 1 || plan === '') return unexpected('NAME=PLAN, such as my-app=free', text)
  if (!keyNames.accepts(name)) return unexpected(keyNames.expected, name)
  return right({ name, plan })
}

export function readClock(text: string): FlagReading<ClockChoice> {
  if (text === 'frozen') return right({ at: undefined, frozen: true })
  if (parseInstant(text) !== undefined) return right({ at: text, frozen: false })
  return unexpected('frozen or an instant, such as 2030-12-04T23:59:00Z', text)
}

/** Milliseconds. */
export function readDurationFlag(text: string): FlagReading<number> {
  const ms = parseDuration(text)
  return ms === undefined ? unexpected('a duration, such as 90s, 15m or 250ms', text) : right(ms)
}

/** A duration, as it was typed. */
export function readDurationText(text: string): FlagReading<string> {
  const reading = readDurationFlag(text)
  return reading.ok ? right(text) : reading
}

/** Where a service is. */
export function readUrl(text: string): FlagReading<URL> {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  return url === undefined ? unexpected('a URL, such as http://127.0.0.1:7387/v1', text) : right(url)
}

/** What a client can send as a bearer token (RFC 6750, section 2.1). It is secret, so no complaint shows it. */
export function readToken(text: string): FlagReading<string> {
  return /^[A-Za-z0-9._~+/-]+=*$/.test(text)
    ? right(text)
    : wrong('a token is of letters, digits and . _ ~ + / -')
}

/** An address to listen on; one of IPv6 with or without the brackets that it has in a URL. */
export function readHost(text: string): FlagReading<string> {
  const host = text.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) > 0 || isHostName(host) ? right(host) : unexpected('a host name or an IP address', text)
}

export const readHostNames = listOrAny(text =>
  isHostName(text)
    ? right(text.toLowerCase())
    : unexpected('a host name without its port, such as pets.test', text),
)

/** Browsers send an origin in lower case and without its scheme's own port. */
export const readOrigins = listOrAny(text => {
  const origin = text.toLowerCase()
  if (/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/.test(origin)) return right(withoutOwnPort(origin))
  const hint = origin === 'null' ? '; many pages have that one: write * for all' : ''
  return unexpected('an origin, such as https://shop.example', text, hint)
})

function withoutOwnPort(origin: string): string {
  return origin.replace(/^(http:.*):80$|^(https:.*):443$/, '$1$2')
}

function listOrAny(parse: (text: string) => FlagReading<string>) {
  const list = many(parse)
  return (texts: readonly string[]): FlagReading<readonly string[] | '*'> =>
    texts.some(text => text.split(',').some(item => item.trim() === '*')) ? right('*') : list(texts)
}

function isHostName(text: string): boolean {
  return /^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?$/i.test(text)
}

/** An instant, as it was typed. */
export function readInstantFlag(text: string): FlagReading<string> {
  return parseInstant(text) === undefined
    ? unexpected('an instant, such as 2030-12-05T00:00:00Z', text)
    : right(text)
}

/** How many times as fast as real time a clock is to run; how much that may be is for the server to say. */
export function readScale(text: string): FlagReading<number> {
  return /^[0-9]+(?:\.[0-9]+)?$/.test(text) ? right(Number(text)) : unexpected('a number, such as 30', text)
}
