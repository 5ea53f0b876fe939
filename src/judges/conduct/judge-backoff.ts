import { BoundedMap } from '../../base/bounded-map.ts'
import { type Delivery, mayArrive } from '../../emulator/journal/delivery.ts'
import { seconds } from './checks.ts'
import { mostGaps, trendOf } from './gap-trend.ts'
import { atOnceMs } from './links.ts'
import type { Judge, Note, ObservedCall, Portion } from './observed-call.ts'
import { describeForm, retryAfterText } from './retry-after-form.ts'
import { demandedWait, isOver, type Wait } from './wait.ts'

/** A failed call. */
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
