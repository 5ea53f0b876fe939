import type { ReadonlySignal } from '@preact/signals'
import type { PlaneKey } from '../../generated/plane-operations.ts'
import { type Source, useAnswer } from './live.ts'

interface SandboxSource extends Source {
  readonly sandbox: ReadonlySignal<string>
}

/** `name`: as every page shows the key. Only the shipped keys are whole in it. */
export interface KeyState extends PlaneKey {
  readonly name: string
}

/** The keys of the server, that of the scenario first. Undefined until they are known. */
export function useKeys(source: SandboxSource) {
  const query = { sandbox: source.sandbox.value }
  const shown = useAnswer(source, 'listKeys', { query })
  const masked = useAnswer(source, 'listKeys', { query: { ...query, keys: 'masked' } }, 'changes')
  const scenario = useAnswer(source, 'getScenario', { query }, 'changes')
  const error = shown.error ?? masked.error ?? scenario.error
  if (shown.value === undefined || masked.value === undefined || scenario.value === undefined)
    return { value: undefined, error, reload: shown.reload }
  const names = masked.value.keys
  const featured = scenario.value.key
  const keys = shown.value.keys.map((key, index): KeyState => ({ ...key, name: names[index]?.key ?? '…' }))
  const value = keys.toSorted((one, other) => Number(other.key === featured) - Number(one.key === featured))
  return { value, error, reload: shown.reload }
}
