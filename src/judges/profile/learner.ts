import type { Line, Profile } from '../../control/profile/profile.ts'
import { assumedSettings } from '../../control/scenario/settings/assumed.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { learnPages } from './pages.ts'
import { type SeenCall, seeCall } from './seen-call.ts'

export interface Learner {
  /** Takes the exchanges of one service in any order. Their targets begin with `/v1`. */
  readonly add: (exchange: Exchange) => void
  readonly profile: () => Profile
}

/** The oldest calls make room for newer ones. */
const mostCalls = 20_000

/** Learns the settings of a service from its responses. It keeps keys to tell them apart, and a profile has none. */
export function createLearner({ service }: { readonly service: string }): Learner {
  let calls: SeenCall[] = []
  return {
    add: exchange => {
      const seen = seeCall(exchange)
      if (seen === undefined) return
      calls.push(seen)
      if (calls.length >= 2 * mostCalls) calls = calls.slice(-mostCalls)
    },
    profile: () => {
      const inOrder = calls.slice(-mostCalls).toSorted((one, other) => one.sentAt - other.sentAt)
      const lines: Record<string, Line | undefined> = { ...learnPages(inOrder) }
      const paths = assumedSettings.map(({ path }) => path)
      const learned = Object.entries(lines).filter((entry): entry is [string, Line] => entry[1] !== undefined)
      return {
        profile: 1,
        service,
        learned: Object.fromEntries(learned),
        unknown: paths.filter(path => lines[path] === undefined),
      }
    },
  }
}
