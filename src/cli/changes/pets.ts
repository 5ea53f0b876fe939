import type { CommandGroup } from '../arguments/command.ts'
import { serverCommand } from '../remote/server-command.ts'
import type { Session } from '../remote/session.ts'
import { type AddValues, addFlags, type EditValues, editFlags, listFlags, readId } from './pet-flags.ts'
import type { PetPage, SentPet } from './show-pets.ts'

const usualLimit = 20

export const pets: CommandGroup = {
  name: 'pets',
  about: 'Lists, adds, edits and removes pets.',
  commands: [
    serverCommand({
      name: 'list',
      isDefault: true,
      about: 'Lists pets by ascending id. It uses no quota.',
      flags: listFlags,
      examples: [
        ['$0 pets --status sold', 'the first 20 sold pets'],
        ['$0 pets --after 20', 'the next page'],
      ],
      act: async session => {
        const { status, after, limit = session.values.json ? undefined : usualLimit } = session.values
        const page = await session.ask<PetPage>('GET', '/pets', undefined, { status, after, limit })
        const { listPets } = await import('./show-pets.ts')
        listPets(session, page)
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
      act: async session => (await import('./add-pets.ts')).addPets(session),
    }),
    serverCommand({
      name: 'edit',
      words: 'ID',
      about: 'Changes the given fields of a pet.',
      flags: editFlags,
      examples: [['$0 pets edit 5 --status sold', '']],
      check: checkEdit,
      act: async session => {
        const { name, status, 'category-id': categoryId } = session.values
        const body = { name, categoryId, status: status === 'none' ? null : status }
        const changed = await session.ask<SentPet>('PATCH', pathOf(session), body)
        const { showPets } = await import('./show-pets.ts')
        showPets(session, changed)
      },
    }),
    serverCommand({
      name: 'remove',
      words: 'ID',
      about: 'Removes a pet. Its id is not used again.',
      flags: {},
      examples: [['$0 pets remove 5', '']],
      check: checkId,
      act: async session => {
        const removed = await session.ask<SentPet>('DELETE', pathOf(session))
        session.print(removed, ({ id, name }) => [`removed ${id} (${name})`])
      },
    }),
  ],
}

function pathOf({ words: [id = ''] }: Session): string {
  return `/pets/${encodeURIComponent(id)}`
}

function checkId([id = '']: readonly string[]): readonly string[] {
  const reading = readId(id)
  return id === '' || reading.ok ? [] : reading.problems.map(problem => `ID: ${problem}`)
}

function checkAdd([file]: readonly string[], values: AddValues): readonly string[] {
  const { name, status, 'category-id': category } = values
  const expected = 'pet-mock pets add --name Rex --category-id 1, or pet-mock pets add FILE'
  const given = [name, status, category].filter(value => value !== undefined).length
  if (file !== undefined) return given === 0 ? [] : [`Give a file or flags, not both: ${expected}`]
  return name === undefined || category === undefined ? [`Expected: ${expected}`] : []
}

function checkEdit(words: readonly string[], values: EditValues): readonly string[] {
  const { name, status, 'category-id': category } = values
  const isEmpty = (name ?? status ?? category) === undefined
  return [
    ...checkId(words),
    ...(isEmpty ? ['Expected at least one of --name, --category-id and --status.'] : []),
  ]
}
