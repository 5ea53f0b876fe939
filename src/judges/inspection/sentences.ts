import { formatInstant } from '../../base/time/instant.ts'
import type { AreaSource, Exchange, Gate } from '../../emulator/journal/exchange.ts'
import { readTarget } from '../../service/call/target.ts'
import { remaining, type WindowReading } from '../../service/limits/limiter.ts'
import { type WindowName, windowLengths } from '../../service/limits/window.ts'
import { type ShowText, showKey } from './conceal.ts'
import type { Explanation } from './explain.ts'

type Findings = Pick<Explanation, 'mismatches' | 'ignored' | 'strikes'>

/** An explanation in sentences: what was decided first, what else there is to know after it. */
export function sentencesOf(exchange: Exchange, findings: Findings, text: ShowText): readonly string[] {
  return [
    outcome(exchange, text),
    ...deciders[exchange.trace.gate](exchange, findings, text),
    ...strikes(exchange, findings),
    ...windows(exchange, text),
    ...nearest(exchange, findings),
    ...interventions(exchange),
    ...notices(exchange, findings),
    ...breaches(exchange, text),
  ]
}

function outcome({ call, reply, trace }: Exchange, text: ShowText): string {
  const code = trace.code === undefined ? '' : ` ${trace.code}`
  return `${call.method} ${text(readTarget(call.target).path)} was answered with ${reply.status}${code}.`
}

type Decider = (exchange: Exchange, findings: Findings, text: ShowText) => readonly string[]

/** What each gate has to say of its decision. */
const deciders: Readonly<Record<Gate, Decider>> = {
  host: () => ['Its Host is not a name of this machine, so nothing else of it was looked at.'],
  preflight: () => ['It asked only what it may ask, by OPTIONS: that takes no key and no quota.'],
  api: () => ['The API is under /v1 only: no key was asked for, and no quota was used.'],
  key: ({ trace: { code } }, { mismatches }) => {
    if (code === 'missing_api_key')
      return [
        'It showed no API key: a key is the bearer token of the Authorization header, and nothing else.',
      ]
    const [found] = mismatches
    if (found?.what === 'API key') return [`Its API key is ${found.asked}.`]
    if (code === 'invalid_api_key') return ['What its Authorization header holds is not one bearer token.']
    return ['It showed no valid API key, and calls without one are limited by their address.']
  },
  ban: (exchange, { strikes }, text) => {
    const by = strikes === null || strikes.bannedBy === null ? '' : `, since request ${strikes.bannedBy}`
    return [
      `The key ${keyOf(exchange, text)} was banned until ${strikes?.bannedUntil ?? 'further notice'}${by}. The call used no quota.`,
    ]
  },
  limit: ({ trace: { limit, plan } }) => {
    if (limit === undefined) return []
    const { told } = limit
    const window = limit[told]
    return [
      `The limit of the plan ${plan}, ${window.limit} requests ${per[told]}, was used up: ${window.used} of ${window.limit}. The call used no quota.`,
    ]
  },
  prefer: () => ['The call asked for this answer itself, by its Prefer header.'],
  rule: ({ trace: { rules = [] } }) => [`The rule ${quote(rules.at(-1))} answered in the API's place.`],
  route: ({ trace: { code } }) => {
    if (code === 'endpoint_removed') return ['The operation at this path was removed at that time.']
    if (code === 'method_not_allowed') return ['There is such a path, but not for this method.']
    return ['There is no such path in the API.']
  },
  failure: () => ['pet-mock itself failed on it: its log says why. Please report it.'],
  operation: ({ trace: { operation, area, code } }) => {
    const name = operation ?? area?.operation
    const from = area === undefined ? '' : `, ${areaSources[area.source]} of the contract that it was given`
    return [code === undefined ? `${name} answered it${from}.` : `${name} could not do what it asked${from}.`]
  },
}

const areaSources: Readonly<Record<AreaSource, string>> = {
  collection: 'a collection',
  mocker: 'an example or a schema',
}

const per: Readonly<Record<WindowName, string>> = { minute: 'a minute', day: 'a day' }

function strikes({ trace: { gate, code } }: Exchange, { strikes }: Findings): readonly string[] {
  if (gate !== 'limit' || strikes === null) return []
  const { count, after, bannedUntil } = strikes
  if (code === 'api_key_banned')
    return [
      `It was refused call ${count} since the last accepted one, and that many ban: the key is banned until ${bannedUntil}.`,
    ]
  if (after === null) return []
  return [`It was refused call ${count} since the last accepted one; the ${ordinal(after)} bans the key.`]
}

/** How full the windows were, who opened them and when they reset. */
function windows({ sandbox, trace }: Exchange, text: ShowText): readonly string[] {
  const { limit, key, gate } = trace
  if (limit === undefined) return []
  const { minute, day } = limit
  const whose = key === undefined ? 'its address' : `the key ${showKey(key, sandbox, text)}`
  const state = `After it, ${whose} had ${remaining(minute)} of ${minute.limit} requests left for the minute and ${remaining(day)} of ${day.limit} for the day.`
  const anonymous =
    gate === 'key' && limit.accepted ? ['Calls without a valid key are counted, and not limited.'] : []
  return [state, ...windowSentence('minute', minute), ...windowSentence('day', day), ...anonymous]
}

function windowSentence(name: WindowName, { endsAt, openedBy }: WindowReading): readonly string[] {
  if (endsAt === undefined) return []
  const opened = formatInstant(endsAt - windowLengths[name])
  const by = openedBy === undefined ? '' : ` by request ${openedBy}`
  return [`The ${name}'s window was opened${by} at ${opened} and resets at ${formatInstant(endsAt)}.`]
}

function nearest({ trace }: Exchange, { mismatches }: Findings): readonly string[] {
  if (trace.gate === 'key' && trace.code === 'invalid_api_key' && mismatches[0]?.what === 'API key') return []
  return mismatches.map(
    ({ what, asked, expected }) => `Of its ${what}, ${asked} was asked, and ${expected} was expected.`,
  )
}

function interventions({ reply: { delayMs, fault }, trace: { rules = [] } }: Exchange): readonly string[] {
  const names = rules.map(quote).join(', ')
  const by = rules.length === 0 ? 'its Prefer header' : `the rule${rules.length > 1 ? 's' : ''} ${names}`
  return [
    ...(delayMs === undefined ? [] : [`The answer was held back for ${delayMs} ms, by ${by}.`]),
    ...(fault === undefined ? [] : [`The answer was broken on its way, by ${by}: ${fault}.`]),
  ]
}

function notices({ reply, trace, cut }: Exchange, { ignored }: Findings): readonly string[] {
  const { Sunset: sunset } = reply.headers
  const { area, stability } = trace
  const operation = trace.operation ?? area?.operation
  return [
    ...(sunset === undefined || operation === undefined
      ? []
      : [`${operation} is deprecated, and will be gone from ${sunset} on.`]),
    ...(stability === undefined ? [] : [`${operation} is marked ${stability}: it may still change.`]),
    ...ignored.map(({ what, name, meant }) => {
      const ignoring = `The ${what} ${quote(name)} was ignored`
      return meant === null ? `${ignoring}.` : `${ignoring}; was ${quote(meant)} meant?`
    }),
    ...(cut.call === undefined ? [] : [`Only the first 16 KiB of its body of ${cut.call} bytes are kept.`]),
    ...(cut.reply === undefined
      ? []
      : [`Only the first 16 KiB of the answer's ${cut.reply} bytes are kept.`]),
  ]
}

function keyOf({ sandbox, trace: { key = '' } }: Exchange, text: ShowText): string {
  return showKey(key, sandbox, text)
}

function quote(name = ''): string {
  return JSON.stringify(name)
}

function ordinal(count: number): string {
  const isTeen = count % 100 >= 11 && count % 100 <= 13
  return `${count}${(isTeen ? undefined : [undefined, 'st', 'nd', 'rd'][count % 10]) ?? 'th'}`
}

function breaches({ breaches = [] }: Exchange, text: ShowText): readonly string[] {
  return breaches.map(({ message }) => `It breaks the contract: ${text(message)}.`)
}
