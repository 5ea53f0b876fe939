import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { writeCursor } from '../../../src/service/pets/list-pets.ts'

export const sizes = [1_000, 100_000, 1_000_000] as const

/** The n-th list of pending pets: from another place each time, and with a full page wherever it begins. */
export function filteredList(n: number, size: number): string {
  // A step that is prime to every size: no place comes twice before all others have come, so no kept page answers.
  const after = 1 + ((n * 7_919) % Math.floor(size * 0.8))
  return `/v1/pets?status=pending&limit=20&cursor=${writeCursor(after)}`
}

/** A scenario whose key `bench` is never refused, and whose key `spent` always is. */
export function unlimited(count: number): ScenarioFile {
  const quota = { minute: 1_000_000_000, day: 1_000_000_000 }
  return {
    bans: 'off',
    plans: { unlimited: quota, none: { minute: 1, day: 1 } },
    keys: { bench: { plan: 'unlimited' }, spent: { plan: 'none', used: { minute: 1 } } },
    pets: { count },
  }
}

type Rules = NonNullable<ScenarioFile['rules']>

/** Rules of every kind, of which none is for the list of pets that the key `bench` asks for. */
const idleRules: readonly ((n: number) => Rules[number])[] = [
  () => ({ match: { operation: 'createPet' }, when: { every: 2 }, then: { status: 503 } }),
  () => ({ match: { operation: 'getPet' }, then: { delay: '1s' } }),
  () => ({ match: { operation: 'listOrders' }, when: { first: 2 }, then: { status: 500 } }),
  () => ({ match: { method: 'POST' }, when: { probability: 0.05 }, then: { fault: 'reset' } }),
  n => ({ match: { path: `/v1/pets/${13 + n}` }, then: { status: 410 } }),
  n => ({ match: { key: 'spent', query: { limit: `${1 + n}` } }, then: { status: 503 } }),
  () => ({ match: { key: 's*' }, when: { every: 3 }, then: { status: 503 } }),
  () => ({ match: { plan: 'none' }, then: { delay: '250ms' } }),
  n => ({ match: { query: { status: 'sold', limit: `${1 + n}` } }, then: { status: 503 } }),
  n => ({ match: { operation: 'createPet', body: { name: `Rex ${n}` } }, then: { status: 409 } }),
]

export function manyIdleRules(count: number): Rules {
  return Array.from({ length: count }, (_, n) => idleRules[n % idleRules.length]?.(n) ?? {})
}
