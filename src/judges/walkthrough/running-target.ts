import type { Change } from '../../control/change/change.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import { readReply } from './read-reply.ts'
import type { WalkthroughTarget } from './target.ts'

interface RunningEmulator {
  readonly emulator: Pick<Emulator, 'answer'>
  readonly change: Change
  /** The sandbox in which the walkthrough is played. */
  readonly sandbox: string
  /** The door's time. */
  readonly now: number
}

/** A sandbox of a running emulator as the target of a walkthrough. Its calls are in the journal, and no reply is delayed. */
export function createRunningTarget({ emulator, change, sandbox, now }: RunningEmulator): WalkthroughTarget {
  const inSandbox = (value: string) =>
    sandbox === defaultSandbox || !/^Bearer [^\s+]+$/i.test(value) ? value : `${value}+${sandbox}`
  const done = (outcome: ReturnType<Change>) =>
    outcome.ok ? ({ ok: true } as const) : ({ ok: false, impossible: outcome.refusal.message } as const)
  return {
    call: async ({ method, target, headers, body }) => {
      const own = headers.map((value, index) =>
        headers[index - 1]?.toLowerCase() === 'authorization' ? inSandbox(value) : value,
      )
      const reply = await emulator.answer({
        method,
        target,
        headers: ['Host', '127.0.0.1', ...own],
        body: body === undefined ? undefined : new TextEncoder().encode(body),
        scheme: 'http',
        client: '127.0.0.1',
        receivedAt: now,
      })
      return readReply(reply)
    },
    advance: ms => done(change(sandbox, { do: 'advanceClock', by: `${ms}ms` }, now)),
    change: command => done(change(sandbox, command, now)),
    cannotJudge: () => undefined,
  }
}
