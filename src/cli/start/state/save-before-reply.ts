import { asSentence, refusal } from '../../../doors/admin/routing/replies.ts'
import type { SaveState } from '../../../doors/admin/routing/route-context.ts'
import type { LoadAdminPlane } from '../../../doors/server/load-admin.ts'
import { refuse } from '../../../service/call/answer.ts'
import type { LateHandle, Reply } from '../../../service/call/call.ts'

/** Methods that ask for no change (RFC 9110, section 9.2.1). What they count is saved within a second, as always. */
const isSafe = (method: string) => /^(?:GET|HEAD|OPTIONS|TRACE)$/.test(method)

/**
 * A handle whose reply to a change waits until the change is on disk. If it cannot be saved, the client gets a 500: the
 * change is in memory, and a client that was promised a durable write must know that this one is not.
 */
export function saveBeforeReply(handle: LateHandle, saveState: SaveState): LateHandle {
  const replyAfterSave = async (answered: Reply | Promise<Reply>): Promise<Reply> => {
    const reply = await answered
    const saved = await saveState()
    return saved.ok ? reply : unsaved(reply, saved.problem)
  }
  return call => {
    const reply = handle(call)
    return isSafe(call.method) ? reply : replyAfterSave(reply)
  }
}

function unsaved(reply: Reply, problem: string): Reply {
  const { body, length } = refuse('state_not_saved', notDurable(problem))
  const { Location: _, ...headers } = reply.headers
  return {
    ...reply,
    status: 500,
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': `${length}` },
    body,
    octets: undefined,
  }
}

/** An admin plane whose answers to changes wait in the same way. */
export function planeSavingBeforeReply(load: LoadAdminPlane, saveState: SaveState): LoadAdminPlane {
  return async address => {
    const plane = await load(address)
    return async (call, waiting) => {
      const response = await plane(call, waiting)
      if (isSafe(call.method) || !response.ok) return response
      const saved = await saveState()
      return saved.ok ? response : refusal('state_not_saved', notDurable(saved.problem))
    }
  }
}

function notDurable(problem: string): string {
  return `${asSentence(problem)} The change is in memory only.`
}
