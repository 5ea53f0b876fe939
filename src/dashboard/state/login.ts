import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { PlaneError } from '../plane/plane.ts'

const name = 'pet-mock admin token'

/** The token of a server with --admin-token. It stays in this tab, and never goes into a URL. */
export interface Login {
  readonly token: () => string | undefined
  /** Why the plane refused the last call; undefined: it accepts this page. */
  readonly refusal: ReadonlySignal<PlaneError | undefined>
  readonly refuse: (why: PlaneError) => void
  readonly enter: (token: string) => void
  readonly leave: () => void
  readonly hasToken: ReadonlySignal<boolean>
}

export type TokenStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export function createLogin(storage: TokenStorage): Login {
  const refusal = signal<PlaneError | undefined>(undefined)
  const token = signal(storage.getItem(name) ?? undefined)
  const set = (value: string | undefined) => {
    if (value === undefined) storage.removeItem(name)
    else storage.setItem(name, value)
    token.value = value
    refusal.value = undefined
  }
  return {
    token: () => token.value,
    refusal,
    hasToken: computed(() => token.value !== undefined),
    refuse: why => {
      refusal.value = why
    },
    enter: value => set(value),
    leave: () => set(undefined),
  }
}
