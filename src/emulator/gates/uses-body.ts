import { readClock, startClock } from '../../base/time/clock.ts'
import type { UsesBody } from '../../service/call/call.ts'
import type { Target } from '../../service/call/target.ts'
import { isValid } from '../../service/keys/key.ts'
import { isUnderApi } from '../../service/operations/routes.ts'
import { sandboxNames } from '../worlds/constraints.ts'
import type { SandboxKey } from '../worlds/sandbox-key.ts'
import type { Sandboxes } from '../worlds/sandboxes.ts'
import type { Caller } from './caller.ts'

interface HeadReaders<Host> {
  readonly targetOf: (text: string) => Target
  readonly readCaller: (headers: readonly string[]) => Caller
  readonly hostOf: (caller: Caller, target: Target) => Host
  readonly refuseHost: (caller: Caller, host: Host) => unknown
}

/** Whether the body of a call can matter: host, path and key are no reason to refuse it. Changes nothing. */
export function createUsesBody<Host>(
  { targetOf, readCaller, hostOf, refuseHost }: HeadReaders<Host>,
  sandboxes: Sandboxes,
): UsesBody {
  return ({ target: text, method, headers, receivedAt }) => {
    const target = targetOf(text)
    if (method === 'OPTIONS' || !isUnderApi(target.path)) return false
    const caller = readCaller(headers)
    if (caller.key === undefined || refuseHost(caller, hostOf(caller, target)) !== undefined) return false
    sandboxes.time.note(receivedAt)
    return isKnown(sandboxes, caller.key, receivedAt)
  }
}

/** Whether `Sandboxes.find` would find a valid key. Makes no sandbox. */
function isKnown(sandboxes: Sandboxes, { text, base, sandbox: name }: SandboxKey, wall: number): boolean {
  const exact = sandboxes.default.keys.get(text)
  if (exact === undefined && (name === undefined || !sandboxNames.accepts(name))) return false
  const world = exact !== undefined || name === undefined ? sandboxes.default : sandboxes.get(name)
  const key = exact ?? (world ?? sandboxes.scenario).keys.get(base)
  const at = world ? readClock(world.clock, wall) : startClock(sandboxes.scenario.clock, wall).at
  return key !== undefined && isValid(key, at)
}
