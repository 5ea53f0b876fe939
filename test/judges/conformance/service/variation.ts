import type { CheckedAs } from './check-service.ts'
import type { Traits } from './traits.ts'

/** A lawful service, unlike pet-mock. */
export interface Variation {
  readonly traits: Partial<Traits> | (() => Partial<Traits>)
  readonly as?: CheckedAs
}

export type Variations = Readonly<Record<string, Variation>>
