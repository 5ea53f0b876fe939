import { parseInt64 } from '../../base/json/int64.ts'
import { wholeNumbers } from '../../base/text/constraint.ts'
import { showValue } from '../../control/files/show.ts'
import { petStatuses } from '../../service/pets/pet.ts'
import { type FlagReading, flagGroup, right, type ValuesOf, wrong } from '../arguments/flag.ts'
import { numberOf, wordOf } from '../arguments/flag-values.ts'

const which = flagGroup('Which pets:')
const options = flagGroup('Options:')
const pet = flagGroup('The pet:')

/** An int64 as its digits, which JSON clients send beyond 2^53. */
export function readId(text: string): FlagReading<string> {
  return parseInt64(text) === undefined
    ? wrong(`expected a whole number of at most 64 bits, such as 5, found ${showValue(text)}`)
    : right(text)
}

export const listFlags = {
  status: which.optional({
    value: petStatuses.join('|'),
    about: 'with this status',
    parse: wordOf(petStatuses),
  }),
  after: which.optional({ value: 'ID', about: 'with a greater id', parse: readId }),
  limit: options.optional({
    value: 'N',
    about: 'show at most N [20; with --json 1000]',
    parse: numberOf(wholeNumbers('a number of pets from 1 to 100000', 1, 100_000)),
  }),
}

const name = pet.optional({ value: 'NAME', about: 'the name', parse: right })
const category = pet.optional({
  value: 'ID',
  about: 'the category, which need not exist',
  parse: readId,
})

const status = { value: petStatuses.join('|'), about: 'the status [none]', parse: wordOf(petStatuses) }

export const addFlags = { name, 'category-id': category, status: pet.optional(status) }

export const editFlags = {
  name,
  'category-id': category,
  status: pet.optional({
    value: `${status.value}|none`,
    about: 'the status, or none',
    parse: wordOf([...petStatuses, 'none']),
  }),
}

export type ListValues = ValuesOf<typeof listFlags>
export type AddValues = ValuesOf<typeof addFlags>
export type EditValues = ValuesOf<typeof editFlags>
