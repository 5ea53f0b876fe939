import { petMockWith } from './pet-mock.ts'
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
