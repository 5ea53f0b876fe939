import { isObject } from '../../base/json/is-object.ts'
import { suggest } from '../../base/text/did-you-mean.ts'
import { showValue } from '../../control/files/show.ts'
import { PetMockError } from '../client/pet-mock-error.ts'
import type { PetMockOptions } from './pet-mock.ts'

/** All names of some options: the compiler misses one that is left out. */
export type OptionNames<Options> = { readonly [Name in keyof Required<Options>]: true }

export const commonNames: OptionNames<PetMockOptions> = {
  scenario: true,
  profile: true,
  require: true,
  allowAssumed: true,
  mask: true,
  box: true,
}

/**
 * Throws a PetMockError for options that JavaScript ignores silently. With a misspelt `scenario`, a test would run in
 * another one.
 */
export function checkOptions(creator: string, options: unknown, names: Readonly<Record<string, true>>): void {
  if (!isObject(options)) refuse(`expected an object of options, found ${showValue(options)}`)
  const known = Object.keys(names)
  const unknown = Object.keys(options).find(name => !known.includes(name))
  if (unknown === undefined) return
  refuse(
    `unknown option ${showValue(unknown)}${suggest(unknown, known) || `; known are ${known.join(', ')}`}`,
  )

  function refuse(problem: string): never {
    throw new PetMockError('invalid_parameter', `${creator}: ${problem}`)
  }
}
