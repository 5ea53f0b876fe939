import type { Answer, OperationId } from '../../library/client/ask-plane.ts'
import { type Command, type CommandHelp, command } from '../arguments/command.ts'
import type { Flags, ValuesOf } from '../arguments/flag.ts'
import { serverFlags } from '../arguments/server-flags.ts'
import type { Action, Session } from './session.ts'

interface Declared<F extends Flags> extends CommandHelp {
  /** The flags of its own, beside those of every remote command. Default: none. */
  readonly flags?: F
}

/** Declares a command that talks to a running server. It reaches the server through the admin plane only. */
export function serverCommand<F extends Flags = Record<never, never>>({
  flags,
  check,
  act,
  ...help
}: Declared<F> & Action<ValuesOf<F>>): Command {
  return command({
    ...help,
    flags: { ...(flags as F), ...serverFlags },
    load: async () => {
      const { runOnServer } = await import('./run-on-server.ts')
      return { run: invocation => runOnServer(invocation, { check, act }) }
    },
  })
}

/** A command that calls one operation of the admin plane, and prints the answer. */
interface Row<F extends Flags, Id extends OperationId>
  extends Declared<F>,
    Pick<Action<ValuesOf<F>>, 'check'> {
  readonly calls: Id
  /** The fields of the call. Default: none. */
  readonly fields?: (session: Session<ValuesOf<F>>) => object
  readonly lines: (answer: Answer<Id>, session: Session<ValuesOf<F>>) => readonly string[]
}

export function planeCommand<Id extends OperationId, F extends Flags = Record<never, never>>({
  calls,
  fields,
  lines,
  ...declared
}: Row<F, Id>): Command {
  return serverCommand<F>({
    ...declared,
    act: async session =>
      session.print(await session.ask(calls, fields?.(session)), answer => lines(answer, session)),
  })
}
