import type { Line, Profile } from '../../control/profile/profile.ts'
import { assumedSettings } from '../../control/scenario/settings/assumed.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { petStatuses } from '../../service/pets/pet.ts'
import { learnBans } from './bans.ts'
import { learnErrors } from './errors.ts'
import { countsByKey, learnLimits } from './limits.ts'
import { learnDeprecation, learnLatency, learnOrder } from './order.ts'
import { learnPages } from './pages.ts'
import { isPrivate } from './private.ts'
import { readRates } from './rates.ts'
import { runsOf } from './refusals.ts'
import { learnResponses } from './responses.ts'
import { type SeenCall, seeCall } from './seen-call.ts'
import type { Lines } from './sightings.ts'

export interface Learner {
  /** Takes the exchanges of one service in any order. Their targets begin with `/v1`. */
  readonly add: (exchange: Exchange) => void
  readonly profile: () => Profile
}

/** The oldest calls make room for newer ones. */
const mostCalls = 20_000
const mostCharacters = 64 * 2 ** 20

/** Learns the settings of a service from its responses. It keeps keys to tell them apart, and a profile has none. */
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
    profile: () => profileOf(service, learn(calls.toSorted((one, other) => one.sentAt - other.sentAt))),
  }
}

function learn(calls: readonly SeenCall[]): Lines {
  const sent = new Set(calls.flatMap(call => call.sent))
  for (const status of petStatuses) sent.delete(status)
  const { lines, rateOf, isLimitHeader } = readRates(calls)
  const runs = runsOf(calls, rateOf)
  const keys = countsByKey(calls, rateOf)
  const errors = learnErrors(calls, runs, rateOf)
  const all: Lines = {
    ...lines,
    ...learnLimits(calls, keys, runs, rateOf),
    ...learnBans(runs, keys, rateOf),
    ...learnOrder(calls, name => Object(errors[`errors.${name}`]?.value).code),
    ...errors,
    ...learnResponses(calls, sent, isLimitHeader),
    ...learnPages(calls),
    ...learnDeprecation(calls),
    ...learnLatency(calls),
  }
  const isFree = ([path, line]: [string, Line | undefined]) =>
    !/^(?:errors|limits\.names)\./.test(path) || !isPrivate(JSON.stringify([line?.value, line?.values]), sent)
  return Object.fromEntries(Object.entries(all).filter(isFree))
}

function profileOf(service: string, lines: Lines): Profile {
  const isKnown = (entry: [string, Line | undefined]): entry is [string, Line] => entry[1] !== undefined
  return {
    profile: 1,
    service,
    learned: Object.fromEntries(Object.entries(lines).filter(isKnown)),
    unknown: assumedSettings.map(({ path }) => path).filter(path => lines[path] === undefined),
  }
}
