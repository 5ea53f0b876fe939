import { toPlaneError } from './live.ts'
import type { Notices } from './notices.ts'

/** Does what a click asks for. Shows what came of it, or why the server refused. `done`: the message, if one is needed. */
export async function act(
  { notices }: { readonly notices: Notices },
  work: () => Promise<unknown>,
  done?: string,
): Promise<boolean> {
  try {
    await work()
    if (done !== undefined) notices.show(done, 'good')
    return true
  } catch (error) {
    notices.show(toPlaneError(error).message, 'bad')
    return false
  }
}

/** For buttons: does what a click asks for, and calls `then` once the server did it. */
export function acting(app: Parameters<typeof act>[0], then: () => void) {
  return (work: () => Promise<unknown>, done?: string) => async () => {
    if (await act(app, work, done)) then()
  }
}
