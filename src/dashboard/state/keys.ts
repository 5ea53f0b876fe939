import type { ReadonlySignal } from '@preact/signals'
import type { PlaneKey } from '../../generated/plane-operations.ts'
import { type Source, useAnswer } from './live.ts'

/** `name`: as every page shows the key. Only the shipped keys are whole in it. */
export interface KeyState extends PlaneKey {
  readonly name: string
}

/** The keys of the server, that of the scenario first. Undefined until they are known. */
export function useKeys(source: Source & { readonly sandbox: ReadonlySignal<string> }) {
  const query = { sandbox: source.sandbox.value }
  const shown = useAnswer(source, 'listKeys', { query })
  const masked = useAnswer(source, 'listKeys', { query: { ...query, keys: 'masked' } }, 'changes')
  const scenario = useAnswer(source, 'getScenario', { query }, 'changes')
  const names = masked.value?.keys
  const isFeatured = ({ key }: PlaneKey) => Number(key === scenario.value?.key)
  const value =
    names &&
    scenario.value &&
    shown.value?.keys
      .map((key, index): KeyState => ({ ...key, name: names[index]?.key ?? '…' }))
      .toSorted((one, other) => isFeatured(other) - isFeatured(one))
  return { value, error: shown.error ?? masked.error ?? scenario.error, reload: shown.reload }
}

/** How much longer a key is banned at an instant, in milliseconds; not more than 0: it is not. */
export function bannedForMs({ bannedUntil }: Pick<PlaneKey, 'bannedUntil'>, at: number): number {
  return bannedUntil === null ? 0 : Date.parse(bannedUntil) - at
}

export type Windows = Pick<PlaneKey, 'limits' | 'remaining' | 'resets'>

/** A window at an instant after it was read. `endsIn`: milliseconds; undefined: it is not open. */
export function windowAt({ limits, remaining, resets }: Windows, name: 'minute' | 'day', at: number) {
  const limit = limits[name]
  const reset = resets[name]
  const endsIn = reset === null ? 0 : Date.parse(reset) - at
  return endsIn <= 0
    ? { left: reset === null ? remaining[name] : limit, limit, endsIn: undefined }
    : { left: remaining[name], limit, endsIn }
}
