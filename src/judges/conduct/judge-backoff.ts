import { BoundedMap } from '../../base/bounded-map.ts'
import { type Delivery, mayArrive } from '../../emulator/journal/exchange.ts'
import { seconds } from './checks.ts'
import { atOnceMs } from './links.ts'
import type { Judge, Note, ObservedCall, Portion } from './observed-call.ts'
import { demandedWait, describeForm, isOver, retryAfterText, type Wait } from './wait.ts'

interface Failure {
  /** Whether the reply says so. Otherwise it did not arrive. */
  readonly isError: boolean
  readonly at: number
  readonly receivedAt: number
  readonly delivery: Delivery
}

/** The failures of one call, by all who make it. */
interface Run {
  readonly sequences: Set<number>
  /** The last failures, as many as there are sequences. */
  failures: Failure[]
  wait: Wait | undefined
  /** How the last failure said when to retry, if a client may have failed to read it. */
  form: string
  gaps: number[]
  isGrowing: boolean
}

const mostWatched = 500

/** More clients that fail at once are not judged. */
const mostSequences = 50

/** After a longer pause in milliseconds, the call is new and not a retry. */
const longestGap = 20_000

/** Flags retries of failed calls whose gaps do not grow. Waiting for Retry-After is fine. */
export function judgeBackoff(note: Note, portion: Portion): Judge {
  const runs = new BoundedMap<number, Run>(mostWatched, { portion })
  return call => {
    const { exchange, fingerprint, delivery } = call
    const run = runs.get(fingerprint) ?? newRun()
    runs.set(fingerprint, run)
    if (repeats(run, call) && trendOf(run.gaps) === 'steady' && !run.isGrowing) {
      const { gaps, form } = run
      const detail = () => `the waits were ${gaps.slice(0, 4).map(seconds).join(', ')}${form}`
      note({ id: 'no-backoff', exchange, group: `${fingerprint}`, detail })
    }
    const isFailure = exchange.reply.status === 429 || exchange.reply.status >= 500
    if (!isFailure && delivery.at <= exchange.call.receivedAt) runs.delete(fingerprint)
    else addFailure(run, call, isFailure)
  }
}

function newRun(): Run {
  return { sequences: new Set(), failures: [], wait: undefined, form: '', gaps: [], isGrowing: false }
}

/** A call that repeats none of the failures before. */
function restart(run: Run): false {
  Object.assign(run, newRun())
  return false
}

/** Adds the gap of a repetition. Returns false if the call is none. */
function repeats(run: Run, observed: ObservedCall): boolean {
  const { exchange, link, standing } = observed
  const { call, at, scale } = exchange
  const last = run.failures.at(-1)
  if (last === undefined) return false
  // Calls at once are not repetitions of each other.
  const isAtOnce = link.isConcurrent && call.receivedAt - last.receivedAt <= atOnceMs
  if (standing === 'excused' || standing === 'crossed' || isAtOnce) return false
  const obeys = run.wait !== undefined && isOver(run.wait, exchange)
  // The reply to the call before came late, or will come.
  const isServed = !last.isError && mayArrive(last.delivery)
  if (obeys || isServed || call.receivedAt - last.receivedAt >= longestGap) return restart(run)
  // As many clients as made the call at once repeat it in turn.
  const failure = run.failures.at(-run.sequences.size)
  if (failure === undefined || !run.sequences.has(link.sequence.id)) return false
  const waited = call.receivedAt - endOf(failure)
  const moved = at - failure.at - (call.receivedAt - failure.receivedAt) * scale
  // A test may move the emulator's clock while the client's stands still.
  const gap = moved > 1_000 ? waited + moved : waited
  if (gap >= longestGap) return restart(run)
  if (run.gaps.length < mostGaps) run.gaps.push(Math.max(0, gap))
  run.isGrowing ||= trendOf(run.gaps) === 'growing'
  return true
}

function addFailure(run: Run, call: ObservedCall, isError: boolean): void {
  const { exchange, link, delivery } = call
  if (run.sequences.size < mostSequences) run.sequences.add(link.sequence.id)
  const { receivedAt } = exchange.call
  run.failures = [...run.failures, { isError, at: exchange.at, receivedAt, delivery }].slice(-mostSequences)
  run.wait = demandedWait(call)
  const said = retryAfterText(exchange.reply)
  // Few services send it with a 5xx, and a broken reply has none.
  run.form = isError && (said !== undefined || exchange.reply.status === 429) ? describeForm(said) : ''
}

/** When the client knew that a call had failed. */
function endOf({ receivedAt, delivery }: Failure): number {
  const { at, connection } = delivery
  const closedAt = connection?.closedAt
  if (Number.isFinite(at)) return closedAt !== undefined && closedAt < at ? closedAt : at
  return Math.max(receivedAt, closedAt ?? receivedAt)
}

/** The gaps of one series between a failed call and its repetition, in milliseconds: the first and no more. */
export const mostGaps = 16

/** Fewer gaps prove nothing: some clients make three retries without a wait. */
const gapsJudged = 4

/** Shorter gaps are no wait at all, and their differences are chance: milliseconds. */
const leastGap = 10

/** From eight gaps on, four in five of at most this length in milliseconds are no backoff. The others are chance. */
const shortGaps = 8
const shortGap = 150
const shortPart = 0.8

/** A later half that is longer by this factor is a backoff, if it is a wait: milliseconds. */
const growth = 1.75
const leastGrown = 100

/**
 * How alike that many gaps must be (standard deviation by mean) to be a steady pace, from four on. Waits with jitter differ
 * more: of clients that draw each wait at random, less than one in a hundred has so even a series.
 */
const evenness = [0.08, 0.09, 0.11, 0.13, 0.16, 0.2, 0.27] as const

export type Trend = 'growing' | 'steady' | 'unclear'

/** The trend of a whole series, because with jitter or a cap a wait may be shorter than the one before. */
export function trendOf(gaps: readonly number[]): Trend {
  const { length } = gaps
  if (length < gapsJudged) return 'unclear'
  const waits = gaps.map(gap => Math.max(gap, leastGap))
  const half = Math.floor(length / 2)
  const later = mean(waits.slice(-half))
  if (later >= leastGrown && later >= growth * mean(waits.slice(0, half))) return 'growing'
  const short = gaps.filter(gap => gap <= shortGap)
  if (length >= shortGaps && short.length >= shortPart * length) return 'steady'
  const middle = mean(waits)
  const deviation = Math.sqrt(mean(waits.map(wait => (wait - middle) ** 2)))
  const allowed = evenness[length - gapsJudged] ?? evenness[evenness.length - 1] ?? 0
  return deviation < allowed * middle ? 'steady' : 'unclear'
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
