import { formatCount } from '../../../base/text/quantities.ts'
import type { ScenarioFile } from '../../../control/scenario/file.ts'
import type { Exchange } from '../../../emulator/journal/exchange.ts'
import { reachesApi } from '../../conduct/observed-call.ts'
import { traitsOf } from './traits.ts'

/** Finds out whether a client met a situation: whether a reply shows what distinguishes it from a good day. */
export function watchMeeting(name: string, file: ScenarioFile) {
  const traits = traitsOf(name, file)
  let begins: readonly (number | undefined)[] = []
  let isMet = false
  let calls = 0
  return {
    add: (exchange: Exchange): void => {
      if (!reachesApi(exchange)) return
      calls += 1
      if (calls === 1) begins = traits.map(({ beginsAt }) => beginsAt?.(file, exchange))
      isMet ||= traits.length === 0 || traits.some(({ isShownBy }) => isShownBy(exchange))
    },
    /** Why the client did not meet the situation, such as `made 1 call; this situation begins at call 4`. */
    unmet: (): string | undefined => {
      if (isMet) return undefined
      if (calls === 0) return 'made no call'
      const later = begins.flatMap(first => (first !== undefined && first > calls ? [first] : []))
      const why =
        later.length === traits.length
          ? `this situation begins at call ${Math.min(...later)}`
          : traits
              .map(({ missing }) => (typeof missing === 'string' ? missing : missing(file)))
              .join(', and ')
      return `made ${formatCount(calls, 'call')}; ${why}`
    },
  }
}
