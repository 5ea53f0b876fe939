import { hasArrived, isRefused } from '../../emulator/journal/exchange.ts'
import type { EarlyOptions } from './early-calls.ts'
import { earlyRemark, isAccepted } from './judge-waits.ts'
import type { Judge, Note } from './observed-call.ts'
import { demandedWait, isGone, isMisdated, isOver, misdatedReason, prolong, type Wait } from './wait.ts'

/**
 * So soon after the refusal of one instance, others need not know of it: milliseconds. It takes time to store and read a wait,
 * and to make the first call of a process: 280 ms, measured with twelve of Node on two busy cores.
 */
const sharingMs = 500

/** Judges calls that are early only because another instance of the client was refused. */
export function judgeSharedWaits(note: Note, onOpen: EarlyOptions['onOpen']): Judge {
  let wait: Wait | undefined
  return call => {
    const { exchange, standing } = call
    const { connection, receivedAt } = exchange.call
    if (isAccepted(exchange)) wait = undefined
    if (!isRefused(exchange)) return
    const demanded = demandedWait(call)
    const going = wait === undefined || isOver(wait, exchange) || isGone(wait, exchange) ? undefined : wait
    const told = [...(going?.knownBy ?? [])].find(
      ([other, said]) =>
        other?.instance !== connection?.instance &&
        hasArrived(said.delivery, receivedAt - sharingMs) &&
        !isOver(said, exchange),
    )
    // If its own refusals speak against the call, it is judged already.
    if (going !== undefined && told !== undefined && standing === 'free') {
      if (isMisdated(going, exchange)) onOpen(misdatedReason(exchange))
      else {
        const remark = earlyRemark('called-while-limited', call, going, demanded)
        const who = `; instance ${told[0]?.instance} was refused before, and this one was not`
        note({ ...remark, detail: count => `${remark.detail(count)}${who}` })
      }
    }
    wait = demanded && going ? prolong(going, demanded) : demanded
  }
}
