import type { SentCall } from '../load/load.ts'
import { listTarget, petMockWith } from './pet-mock.ts'
import type { Server } from './server.ts'

/** One thing for each number from 1 to `count`. */
export function numbered<One>(count: number, make: (n: number) => One): readonly One[] {
  return Array.from({ length: count }, (_, index) => make(index + 1))
}

/** With the keys `bench-1` to `bench-COUNT` beside `bench`, of which none is ever refused. */
export function petMockWithKeys(
  place: { readonly root: string; readonly folder: string },
  count: number,
): Promise<Server> {
  const keys = numbered(count, n => [`bench-${n}`, { plan: 'unlimited' }] as const)
  return petMockWith(place, `keys-${count}`, { keys: Object.fromEntries(keys) })
}

/** A list with each of these keys. */
export function listPerKey(count: number): readonly SentCall[] {
  return numbered(count, n => ({ method: 'GET', target: listTarget, key: `bench-${n}` }))
}

/** A list in each of this number of sandboxes, the default one included. */
export function listPerSandbox(count: number): readonly SentCall[] {
  return numbered(count, n => ({ method: 'GET', target: listTarget, key: n === 1 ? 'bench' : `bench+s${n}` }))
}
