import type { PlaneKey } from '../../../generated/plane-operations.ts'

/** How much longer a key is banned at an instant, in milliseconds; not more than 0: it is not. */
export function bannedForMs({ bannedUntil }: Pick<PlaneKey, 'bannedUntil'>, at: number): number {
  return bannedUntil === null ? 0 : Date.parse(bannedUntil) - at
}

export type Windows = Pick<PlaneKey, 'limits' | 'remaining' | 'resets'>

/** A window at an instant after it was read. `endsIn`: milliseconds; undefined: it is not open. */
export function windowAt(
  { limits, remaining, resets }: Windows,
  name: 'minute' | 'day',
  at: number,
): { readonly left: number; readonly limit: number; readonly endsIn: number | undefined } {
  const limit = limits[name]
  const reset = resets[name]
  const endsIn = reset === null ? 0 : Date.parse(reset) - at
  return endsIn <= 0
    ? { left: reset === null ? remaining[name] : limit, limit, endsIn: undefined }
    : { left: remaining[name], limit, endsIn }
}
