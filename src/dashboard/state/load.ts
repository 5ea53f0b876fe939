import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PlaneError } from '../plane/plane.ts'
import { toPlaneError } from './live.ts'

export interface Loaded<T> {
  readonly value: T | undefined
  readonly error: PlaneError | undefined
}

/** An answer that does not change, such as a call of the past. `on`: what it depends on. */
export function useLoad<T>(load: () => Promise<T>, on: readonly unknown[]): Loaded<T> {
  const loaded = useSignal<Loaded<T>>({ value: undefined, error: undefined })
  useEffect(() => {
    let isWanted = true
    const show = (value: T | undefined, error: PlaneError | undefined) => {
      if (isWanted) loaded.value = { value, error }
    }
    load().then(
      value => show(value, undefined),
      error => show(undefined, toPlaneError(error)),
    )
    return () => {
      isWanted = false
    }
  }, on)
  return loaded.value
}
