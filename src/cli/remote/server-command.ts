import { type Command, type CommandHelp, command } from '../arguments/command.ts'
import type { Flags, ValuesOf } from '../arguments/flag.ts'
import { serverFlags } from '../arguments/server-flags.ts'
import type { Action } from './session.ts'

interface Declaration<F extends Flags> extends CommandHelp, Action<ValuesOf<F>> {
  /** The flags of its own, beside those of every remote command. */
  readonly flags: F
}

/** Declares a command that talks to a running server. It reaches the server through the admin plane only. */
export function serverCommand<F extends Flags>({ flags, check, act, ...help }: Declaration<F>): Command {
  return command({
    ...help,
    flags: { ...flags, ...serverFlags },
    load: async () => {
      const { runOnServer } = await import('./run-on-server.ts')
      return { run: invocation => runOnServer(invocation, { check, act }) }
    },
  })
}
