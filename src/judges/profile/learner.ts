import { assumedSettings } from '../../control/profile/assumed.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Line, Profile } from '../../emulator/worlds/scenario.ts'
import { petStatuses } from '../../service/pets/pet.ts'
import { learnBans, runsOf } from './bans.ts'
import { learnErrors } from './errors.ts'
import { countsOf, learnLimits } from './limits.ts'
import { learnPages } from './pages.ts'
import { readRates } from './rates.ts'
import { learnDeprecation, learnExtras, learnLatency } from './responses.ts'
import { callsByKey, type SeenCall, seeCall, wordsOf } from './seen-call.ts'
import { type Lines, lineOf, see } from './sightings.ts'

export interface Learner {
  /** Takes the exchanges of one service in any order. Their targets begin with `/v1`. */
  readonly add: (exchange: Exchange) => void
  readonly profile: () => Profile
}

/** The oldest calls make room for newer ones. */
const mostCalls = 20_000
const mostCharacters = 64 * 2 ** 20

/** Learns the settings of a service from its responses. It keeps keys apart, and a profile has none. */
export function createLearner({ service }: { readonly service: string }): Learner {
  let calls: SeenCall[] = []
  let size = 0
  return {
    add: exchange => {
      const seen = seeCall(exchange)
      if (seen === undefined) return
      calls.push(seen)
      size += seen.size
      if (calls.length <= mostCalls && size <= mostCharacters) return
      calls = calls.slice(Math.ceil(calls.length / 4))
      size = calls.reduce((sum, call) => sum + call.size, 0)
    },
    profile: () => {
      const lines = learn(calls.toSorted((one, other) => one.sentAt - other.sentAt))
      const learned = Object.entries(lines).filter((entry): entry is [string, Line] => entry[1] !== undefined)
      const unknown = assumedSettings.map(({ path }) => path).filter(path => lines[path] === undefined)
      return { profile: 1, service, learned: Object.fromEntries(learned), unknown }
    },
  }
}

/** The profile that the exchanges of one service show. */
export function learnFrom(service: string, exchanges: readonly Exchange[]): Profile {
  const learner = createLearner({ service })
  for (const exchange of exchanges) learner.add(exchange)
  return learner.profile()
}

function learn(calls: readonly SeenCall[]): Lines {
  const sent = new Set(calls.flatMap(call => call.sent))
  for (const word of [...petStatuses, 'Bearer']) sent.delete(word)
  const isOpen = (text: string) =>
    !secrets.some(look => look.test(text)) && !wordsOf(text).some(word => sent.has(word))
  const rates = readRates(calls)
  const { lines, rateOf } = rates
  const runs = runsOf(calls, rateOf)
  const keys = callsByKey(calls).map(own => countsOf(own, rateOf))
  const alone = new Set(keys.flatMap(({ isAlone, calls: [first] }) => (isAlone && first ? first.key : [])))
  const errors = learnErrors(calls, runs, rateOf, isOpen)
  const named = Object.entries({ ...lines, ...errors }).filter(([, line]) =>
    isOpen(JSON.stringify([line?.value, line?.values])),
  )
  return {
    ...Object.fromEntries(named),
    ...learnLimits(calls, keys, runs, rateOf),
    ...learnBans(runs, alone, rateOf),
    ...learnOrder(calls, errors),
    ...learnExtras(calls, rates, isOpen),
    ...learnPages(calls),
    ...learnDeprecation(calls),
    ...learnLatency(calls),
  }
}

/** What looks like an e-mail, a URL, an address, a uuid, a token or a key. */
const secrets = [
  /\S@\S|\w:\/\/|\beyJ[\w-]+|\d{9,}|\b[\w+/=-]{32,}/,
  /\b\d{1,3}(?:\.\d{1,3}){3}\b|(?:[0-9a-f]{0,4}:){3}|[0-9a-f]{8}-[0-9a-f]{4}-/i,
  /\b(?=[a-z0-9_]*\d)(?=[a-z0-9_]*[a-z])[a-z0-9_]{12,}\b/i,
  /\b(?:sk|pk|key|token|ghp|gho|glpat|xox[a-z])[-_][\w-]{4,}/i,
]

/** The order of checks that a single response shows (A01). */
function learnOrder(calls: readonly SeenCall[], errors: Lines): Lines {
  const isMissing = ({ isRouted, status }: SeenCall) => !isRouted && status === 404
  const missing = new Set(calls.filter(call => call.key !== null && isMissing(call)).map(({ path }) => path))
  const unknownPath = see(calls, call => {
    if (call.key !== null || call.isRouted || !missing.has(call.path)) return undefined
    return isMissing(call) ? 'before-key' : call.status === 401 ? 'after-key' : undefined
  })
  const contentType = see(calls, ({ wrong, status, json }) => {
    if (status !== 400 || wrong === undefined || wrong.code === wrong.lastCode) return undefined
    const [first, last] = [wrong.code, wrong.lastCode].map(
      name => Object(errors[`errors.${name}`]?.value).code,
    )
    if (first === undefined || last === undefined || first === last) return undefined
    return json?.code === first ? 'before-schema' : json?.code === last ? 'after-schema' : undefined
  })
  return { 'order.unknownPath': lineOf(unknownPath), 'order.contentType': lineOf(contentType) }
}
