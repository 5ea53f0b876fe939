import type { LateHandle } from '../../service/call/call.ts'
import type { Send } from '../client/ask-plane.ts'

/**
 * Lets calls of the API wait for the changes that were sent before, so that a `mock.reset()` without `await` is done when
 * the next call is answered. Calls and changes wait for `first`.
 */
export function afterChanges(sendAtOnce: Send, first?: Promise<unknown>) {
  const changing = new Set<Promise<unknown>>()
  const change = (sent: Promise<unknown>) => {
    changing.add(sent)
    const end = () => void changing.delete(sent)
    sent.then(end, end)
  }
  const sendAfterFirst: Send = async (...request) => {
    await first
    return sendAtOnce(...request)
  }
  const sendNext = first === undefined ? sendAtOnce : sendAfterFirst
  if (first !== undefined) change(first)
  const settled = async () => {
    while (changing.size > 0) await Promise.allSettled(changing)
  }
  const send: Send = (method, target, body) => {
    const sent = sendNext(method, target, body)
    // Some wait for calls of the API.
    const changesNothing = method === 'GET' || /^\/requests\/(?:find|count|wait)\b/.test(target)
    if (!changesNothing) change(sent)
    return sent
  }
  const inOrder = (handle: LateHandle): LateHandle => {
    return call => (changing.size === 0 ? handle(call) : settled().then(() => handle(call)))
  }
  return { send, inOrder }
}
