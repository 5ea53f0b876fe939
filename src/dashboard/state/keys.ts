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
