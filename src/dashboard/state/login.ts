import { computed, signal } from '@preact/signals'
import type { PlaneError } from '../plane/plane.ts'

const name = 'pet-mock admin token'

export type Login = ReturnType<typeof createLogin>

export type TokenStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The token of a server with --admin-token. It stays in this tab, and never goes into a URL. */
export function createLogin(storage: TokenStorage) {
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
    /** Why the plane refused the last call; undefined: it accepts this page. */
    refusal,
    hasToken: computed(() => token.value !== undefined),
    refuse: (why: PlaneError) => {
      refusal.value = why
    },
    enter: (value: string) => set(value),
    leave: () => set(undefined),
  }
}
