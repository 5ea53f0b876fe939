import type { JsonObject } from '../../../../src/base/json/value.ts'
import { animals, edit, isList, isMade, isPet } from './edits.ts'
import { herd, type Traits, usual } from './traits.ts'
import type { Variations } from './variation.ts'

const refuses = (where: (sent: JsonObject) => boolean): Partial<Traits> => ({
  problem: sent => usual.problem(sent) ?? (where(sent) ? 'refused' : undefined),
})
const knows = ({ categoryId }: JsonObject) => [1, 2, 3, 4].includes(Number(categoryId))

export const ofAnimals: Variations = {
  'nothing unusual': { traits: {} },
  'animals with lists and objects': {
    traits: { shown: pet => ({ ...pet, photoUrls: [], category: { id: 1, tags: ['a'] } }) },
  },
  'a field that changes with every response': {
    traits: () => {
      let views = 0
      return {
        shown: pet => {
          views += 1
          return { ...pet, views }
        },
      }
    },
  },
  'fields that only one operation has': {
    traits: animals(isPet, pet => ({ ...pet, born: '2026-01-01', owner: null })),
  },
  'categories must exist': { traits: refuses(sent => !knows(sent)) },
  'categories must be above zero': { traits: refuses(({ categoryId }) => Number(categoryId) <= 0) },
  'names must not be empty': { traits: refuses(({ name }) => String(name).trim() === '') },
  'names have 64 characters at most': { traits: refuses(({ name }) => String(name).length > 64) },
  'names are letters': { traits: refuses(({ name }) => !/^[a-zA-Z]+$/.test(String(name))) },
  'control characters are refused': {
    traits: refuses(({ name }) => /[\n\r\t\u007f]|<|"/.test(String(name))),
  },
  'a missing status is available': { traits: { stored: pet => ({ status: 'available', ...pet }) } },
  'a status of null is like none': {
    traits: { problem: sent => usual.problem(sent.status === null ? { ...sent, status: 'sold' } : sent) },
  },
  'unknown fields are refused': {
    traits: refuses(sent => Object.keys(sent).some(name => !['name', 'categoryId', 'status'].includes(name))),
  },
  'no animals': { traits: { pets: [] } },
  'no animals, and categories must exist': {
    traits: { pets: [], ...refuses(({ categoryId }) => categoryId !== 12) },
  },
  'one animal': { traits: { pets: herd.slice(0, 1) } },
  'two animals without a status': {
    traits: {
      pets: [
        { id: 5, name: 'A', categoryId: 2 },
        { id: 9, name: 'B', categoryId: 2 },
      ],
    },
  },
  'animals of one status': { traits: { pets: herd.map(pet => ({ ...pet, status: 'sold' })) } },
  '260 animals': {
    traits: {
      pets: Array.from({ length: 260 }, (_, at) => ({ ...herd[at % 43], id: 3 * at + 2 }) as JsonObject),
    },
  },
  '260 animals and no links': {
    traits: {
      pets: Array.from({ length: 260 }, (_, at) => ({ ...herd[at % 43], id: 3 * at + 2 }) as JsonObject),
      link: () => '',
    },
  },
  'ids beyond 2^53': {
    traits: {
      pets: herd.map((pet, at) => ({ ...pet, id: 9_007_199_254_740_993n + BigInt(7 * at) })),
      order: () => 0,
    },
  },
  'ids below zero': { traits: { pets: herd.map(pet => ({ ...pet, id: -Number(pet.id) })) } },
  'ids that descend': { traits: { order: (one, other) => Number(other.id) - Number(one.id) } },
  'animals by their names': {
    traits: { order: (one, other) => (String(one.name) < String(other.name) ? -1 : 1) },
  },
  'no order at all': {
    traits: () => {
      let state = 7
      const next = () => {
        state = (state * 48_271) % 2_147_483_647
        return state - 1_000_000_000
      }
      return { order: next }
    },
  },
  'names must be different': {
    traits: () => {
      const names = new Set<unknown>(['Rex', 'Luna'])
      return {
        ...refuses(({ name }) => names.has(name)),
        stored: pet => {
          names.add(pet.name)
          return pet
        },
      }
    },
  },
  'an animal without a status is available': {
    traits: {
      visible: (pets, _, status) =>
        status !== 'available'
          ? pets
          : pets.map(pet => ({ status, ...pet, ...(pet.status === undefined && { bare: true }) })),
      shown: ({ bare, status, ...pet }) => ({
        ...pet,
        ...(status !== undefined && bare !== true && { status }),
      }),
    },
  },
  'ids without order': {
    traits: {
      idStep: -13,
      order: () => 0,
      pets: herd.toSorted((one, other) => (Number(one.id) % 7) - (Number(other.id) % 7)),
    },
  },
  'whole numbers as 1.0': {
    traits: edit(isMade, ({ text }) => ({ text: text.replace(/"categoryId":(\d),/, '"categoryId":$1.0,') })),
  },
  'names in other escapes': {
    traits: edit(isList, ({ text }) => ({ text: text.replaceAll('ë', '\\u00eb') })),
  },
  'white space in JSON': {
    traits: edit(isList, ({ text }) => ({ text: ` ${text.replaceAll(',', ' ,\n  ')}\n` })),
  },
}
