import { parseInt64 } from '../../base/json/int64.ts'
import { wholeNumbers } from '../../base/text/constraint.ts'
import { groupDigits } from '../../base/text/quantities.ts'
import { showValue } from '../../control/files/show.ts'
import type { PlanePet } from '../../generated/plane-operations.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { petStatuses } from '../../service/pets/pet.ts'
import type { CommandGroup } from '../arguments/command.ts'
import { type FlagReading, flagGroup, right, type ValuesOf, wrong } from '../arguments/flag.ts'
import { numberOf, wordOf } from '../arguments/flag-values.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import { exitCodes } from '../terminal/io.ts'
import { type Cell, cell, tableLines } from '../terminal/table.ts'
import type { Session } from './server-command.ts'
import { planeCommand, serverCommand } from './server-command.ts'

const which = flagGroup('Which pets:')
const options = flagGroup('Options:')
const pet = flagGroup('The pet:')
const statuses = petStatuses.join('|')
const usualLimit = 20

const petFlags = {
  name: pet.optional({ value: 'NAME', about: 'the name', parse: right }),
  'category-id': pet.optional({
    value: 'ID',
    about: 'the category, which need not exist',
    parse: readId,
  }),
}

const addFlags = {
  ...petFlags,
  status: pet.optional({ value: statuses, about: 'the status [none]', parse: wordOf(petStatuses) }),
}

export const pets: CommandGroup = {
  name: 'pets',
  about: 'Lists, adds, edits and removes pets.',
  commands: [
    planeCommand({
      name: 'list',
      isDefault: true,
      about: 'Lists pets by ascending id. It uses no quota.',
      flags: {
        status: which.optional({ value: statuses, about: 'with this status', parse: wordOf(petStatuses) }),
        after: which.optional({ value: 'ID', about: 'with a greater id', parse: readId }),
        limit: options.optional({
          value: 'N',
          about: `show at most N [${usualLimit}; with --json 1000]`,
          parse: numberOf(wholeNumbers('a number of pets from 1 to 100000', 1, 100_000)),
        }),
      },
      examples: [
        ['$0 pets --status sold', 'the first 20 sold pets'],
        ['$0 pets --after 20', 'the next page'],
      ],
      calls: 'findPets',
      fields: ({ values: { status, after, limit, json } }) => ({
        status,
        after,
        limit: limit ?? (json ? undefined : usualLimit),
      }),
      lines: ({ pets, total, more }, { values, paint }) => {
        const last = pets.at(-1)
        if (last === undefined && total === 0) return [paint('dim', 'The store has no pets.')]
        if (last === undefined)
          return [paint('dim', `None matches. The store has ${groupDigits(total)} pets.`)]
        const status = values.status === undefined ? '' : ` --status ${values.status}`
        const next = `${groupDigits(total)} pets in all. The next ones: pet-mock pets${status} --after ${last.id}`
        return [...petLines(pets, paint), ...(more ? [paint('dim', next)] : [])]
      },
    }),
    serverCommand({
      name: 'add',
      words: '[FILE]',
      about: 'Adds a pet, or the pets of a YAML or JSON file; - reads standard input.',
      flags: addFlags,
      examples: [
        ['$0 pets add --name Rex --category-id 1 --status pending', 'a pet'],
        ['$0 pets add more.yaml', 'the pets of a file'],
      ],
      notes: ['The file has what a scenario file has under pets.add: a list of pets, or a single pet.'],
      check: checkAdd,
      act: addPets,
    }),
    planeCommand({
      name: 'edit',
      words: 'ID',
      about: 'Changes the given fields of a pet.',
      flags: {
        ...petFlags,
        status: pet.optional({
          value: `${statuses}|none`,
          about: 'the status, or none',
          parse: wordOf([...petStatuses, 'none']),
        }),
      },
      examples: [['$0 pets edit 5 --status sold', '']],
      check: (words, { name, status, 'category-id': category }) => [
        ...checkId(words),
        ...((name ?? status ?? category) === undefined
          ? ['Expected at least one of --name, --category-id and --status.']
          : []),
      ],
      calls: 'changePet',
      fields: ({ words: [id], values: { name, status, 'category-id': categoryId } }) => ({
        id,
        name,
        categoryId,
        status: status === 'none' ? null : status,
      }),
      lines: (changed, { paint }) => petLines([changed], paint),
    }),
    planeCommand({
      name: 'remove',
      words: 'ID',
      about: 'Removes a pet. Its id is not used again.',
      examples: [['$0 pets remove 5', '']],
      check: checkId,
      calls: 'deletePet',
      fields: ({ words: [id] }) => ({ id }),
      lines: ({ id, name }) => [`removed ${id} (${name})`],
    }),
  ],
}

/** An int64 as its digits, which JSON clients send beyond 2^53. */
function readId(text: string): FlagReading<string> {
  return parseInt64(text) === undefined
    ? wrong(`expected a whole number of at most 64 bits, such as 5, found ${showValue(text)}`)
    : right(text)
}

function checkId([id = '']: readonly string[]): readonly string[] {
  const reading = readId(id)
  return id === '' || reading.ok ? [] : reading.problems.map(problem => `ID: ${problem}`)
}

function checkAdd([file]: readonly string[], values: ValuesOf<typeof addFlags>): readonly string[] {
  const { name, status, 'category-id': category } = values
  const expected = 'pet-mock pets add --name Rex --category-id 1, or pet-mock pets add FILE'
  const given = [name, status, category].filter(value => value !== undefined).length
  if (file !== undefined) return given === 0 ? [] : [`Give a file or flags, not both: ${expected}`]
  return name === undefined || category === undefined ? [`Expected: ${expected}`] : []
}

/** Adds the pet of the flags, or the pets of a file in their order. */
async function addPets(session: Session<ValuesOf<typeof addFlags>>): Promise<number> {
  const { words, values, ask, io, print, paint } = session
  const { name, status, 'category-id': categoryId } = values
  const [path] = words
  const { readPets } = await import('./add-from-file.ts')
  const reading =
    path === undefined ? { ok: true as const, value: [{ name, categoryId, status }] } : await readPets(path)
  if (!reading.ok) return refuseUsage(reading.complaints, io)
  const added: PlanePet[] = []
  for (const pet of reading.value) {
    try {
      added.push(await ask('addPet', pet))
    } catch (error) {
      if (!(error instanceof PetMockError) || added.length === 0) throw error
      throw new PetMockError(error.code, `${error.message} Added before: ${groupDigits(added.length)} pets.`)
    }
  }
  const [only] = added
  print(only !== undefined && added.length === 1 ? only : { pets: added }, () => petLines(added, paint))
  return exitCodes.fine
}

function petLines(pets: readonly PlanePet[], paint: Session['paint']): readonly string[] {
  return tableLines(pets.map(toRow), paint)
}

function toRow({ id, name, categoryId, status }: PlanePet): readonly Cell[] {
  return [
    cell(id, { atRight: true }),
    cell(name, { style: 'bold' }),
    cell(`category ${categoryId}`, { style: 'dim' }),
    cell(status ?? 'no status', status === undefined ? { style: 'dim' } : {}),
  ]
}
