import type { JsonObject } from '../../../../src/base/json/value.ts'
import { animals, edit, error, type Faults, hasStatus, header, html, isMade } from './edits.ts'
import { usual } from './traits.ts'

const is400 = hasStatus(400)
const isRefusedBody: typeof isMade = (reply, call) => is400(reply, call) && call.method === 'POST'
const stores = (change: (pet: JsonObject) => JsonObject) => ({ stored: change })
const naming = (change: (name: string) => string) =>
  stores(pet => ({ ...pet, name: change(String(pet.name)) }))
const takes = (problem: string, where: (sent: JsonObject) => boolean) => ({
  problem: (sent: JsonObject) =>
    usual.problem(sent) === problem && where(sent) ? undefined : usual.problem(sent),
  // A service that takes it shows something valid.
  shown: (pet: JsonObject) => ({
    ...pet,
    name: String(pet.name ?? ''),
    categoryId:
      Number.isInteger(pet.categoryId) || typeof pet.categoryId === 'bigint' ? (pet.categoryId ?? 0) : 1,
    ...(pet.status !== undefined && {
      status: ['available', 'pending'].includes(String(pet.status)) ? pet.status : 'sold',
    }),
  }),
})
const old = (pets: readonly JsonObject[]) => pets.filter(({ id }) => Number(id) < 1_000)

export const faultsOfCreating: Faults = {
  '200 for a new animal': { traits: edit(isMade, () => ({ status: 200 })), finds: 'create-answers' },
  '202 for a new animal': { traits: edit(isMade, () => ({ status: 202 })), finds: 'create-answers' },
  '201 without a body': { traits: edit(isMade, () => ({ text: '' })), finds: 'contract-body' },
  '201 with the id alone': { traits: animals(isMade, ({ id = 0 }) => ({ id })), finds: 'contract-body' },
  '201 with an id as a text': {
    traits: animals(isMade, pet => ({ ...pet, id: String(pet.id) })),
    finds: 'contract-body',
  },
  '201 as text': { traits: header(isMade, 'content-type', () => 'text/plain'), finds: 'contract-media-type' },
  'a valid body is refused': { traits: edit(isMade, () => error(400)), finds: 'create-answers' },
  'a status is required': {
    traits: { problem: sent => (sent.status === undefined ? 'status' : usual.problem(sent)) },
    finds: 'create-answers',
  },
  '422 for an invalid body': { traits: edit(isRefusedBody, () => error(422)), finds: 'create-refuses' },
  '500 for an invalid body': { traits: edit(isRefusedBody, () => error(500)), finds: 'create-refuses' },
  '400 in HTML': {
    traits: edit(isRefusedBody, ({ headers }) => ({
      text: html.text,
      headers: { ...headers, ...html.headers },
    })),
    finds: 'contract-media-type',
  },
  '400 with another status in its Error': {
    traits: edit(isRefusedBody, ({ text }) => ({ text: text.replace(':400}', ':422}') })),
    finds: 'error-status',
  },
  '400 with a list of errors': {
    traits: edit(isRefusedBody, () => ({ text: '{"errors":["name"]}' })),
    finds: 'contract-body',
  },
  'a body without a name is taken': {
    traits: takes('name', ({ name }) => name === undefined),
    finds: 'create-refuses',
  },
  'a body without a category is taken': {
    traits: takes('categoryId', ({ categoryId }) => categoryId === undefined),
    finds: 'create-refuses',
  },
  'an unknown status is taken': { traits: takes('status', () => true), finds: 'create-refuses' },
  'a category with a fraction is taken': {
    traits: takes('categoryId', ({ categoryId }) => typeof categoryId === 'number'),
    finds: 'create-refuses',
  },
  'a category as a text is taken': {
    traits: takes('categoryId', ({ categoryId }) => typeof categoryId === 'string'),
    finds: 'create-refuses',
  },
  'a category of null is taken': {
    traits: takes('categoryId', ({ categoryId }) => categoryId === null),
    finds: 'create-refuses',
  },
  'a number as a name is taken': {
    traits: takes('name', ({ name }) => typeof name === 'number'),
    finds: 'create-refuses',
  },
  'a name of null is taken': { traits: takes('name', ({ name }) => name === null), finds: 'create-refuses' },
  'any body is taken': {
    traits: { ...takes('name', () => true), problem: () => undefined },
    finds: 'create-refuses',
  },
  'a refused body is created all the same': {
    traits: () => {
      const extra: JsonObject[] = []
      return {
        problem: sent => {
          const problem = usual.problem(sent)
          if (problem !== undefined)
            extra.push({ id: 90_000 + extra.length, name: String(sent.name ?? ''), categoryId: 1 })
          return problem
        },
        visible: pets => [...pets, ...extra],
      }
    },
    finds: 'create-nothing',
  },
  'Location without the base path': {
    traits: { created: ({ id }) => ({ location: `/pets/${String(id)}` }) },
    finds: 'create-location',
    isNote: true,
  },
  'names are trimmed': { traits: naming(name => name.trim()), finds: 'create-as-sent' },
  'names are cut at 255': { traits: naming(name => name.slice(0, 255)), finds: 'create-as-sent' },
  'names are cut at 50': { traits: naming(name => name.slice(0, 50)), finds: 'create-as-sent' },
  'names are ASCII only': {
    traits: naming(name => name.replaceAll(/[^ -~]/g, '?')),
    finds: 'create-as-sent',
  },
  'names lose astral characters': {
    traits: naming(name => name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd')),
    finds: 'create-as-sent',
  },
  'names are Latin-1': {
    traits: naming(name => name.replaceAll(/[\u0100-\uffff]/g, '?')),
    finds: 'create-as-sent',
  },
  'names are escaped for HTML': {
    traits: naming(name => name.replaceAll('<', '&lt;')),
    finds: 'create-as-sent',
  },
  'names are in lower case': { traits: naming(name => name.toLowerCase()), finds: 'create-as-sent' },
  'names are changed when they are read again': {
    traits: {
      visible: pets =>
        pets.map(pet =>
          Number(pet.id) < 1_000 ? pet : { ...pet, name: String(pet.name).replaceAll(/[^ -~]/g, '') },
        ),
    },
    finds: 'create-kept',
  },
  'the status is dropped': { traits: stores(({ status: _, ...pet }) => pet), finds: 'create-as-sent' },
  'the status is always available': {
    traits: stores(pet => ({ ...pet, status: 'available' })),
    finds: 'create-as-sent',
  },
  'the category is always 1': { traits: stores(pet => ({ ...pet, categoryId: 1 })), finds: 'create-as-sent' },
  'int64s are doubles': {
    traits: stores(pet => ({
      ...pet,
      categoryId: typeof pet.categoryId === 'bigint' ? 9_007_199_254_740_992 : (pet.categoryId ?? 1),
    })),
    finds: 'int64-exact',
  },
  'int64s are doubles when they are read again': {
    traits: {
      visible: pets =>
        pets.map(pet =>
          typeof pet.categoryId === 'bigint' ? { ...pet, categoryId: 9_007_199_254_740_992 } : pet,
        ),
    },
    finds: 'int64-exact',
  },
  'int64s are 32 bits long': {
    traits: stores(pet => ({
      ...pet,
      categoryId: typeof pet.categoryId === 'bigint' ? 1 : (pet.categoryId ?? 1),
    })),
    finds: 'create-as-sent',
  },
  'a new animal is not found by its id': {
    traits: { visible: (pets, { target }) => (/pets\/\d/.test(target) ? old(pets) : pets) },
    finds: 'create-kept',
  },
  'a new animal is not listed': {
    traits: { visible: (pets, { target }) => (/pets\/\d/.test(target) ? pets : old(pets)) },
    finds: 'create-listed',
  },
  'a new animal is not found by its status': {
    traits: { visible: (pets, _, status) => (status === null ? pets : old(pets)) },
    finds: 'create-listed',
  },
  'lists are a minute old': {
    traits: () => {
      let since = 0
      let shown: readonly JsonObject[] = []
      return {
        visible: (pets, { target, at }) => {
          if (/pets\/\d/.test(target)) return pets
          if (at > since + 60_000) {
            since = at
            shown = pets
          }
          return shown
        },
      }
    },
    finds: 'create-listed',
  },
  'a new animal gets an id that exists': {
    traits: { firstNewId: 22, shown: pet => pet },
    finds: 'create-new-id',
  },
  'every new animal gets the same id': { traits: { idStep: 0 }, finds: 'create-new-id' },
  'Location of another animal': {
    traits: { created: () => ({ location: '/v1/pets/1' }) },
    finds: 'create-location-own',
  },
  'a default for the status': {
    traits: stores(pet => ({ status: 'available', ...pet })),
    finds: 'create-status-absent',
    isNote: true,
  },
  '415 for a body as text': {
    traits: edit(
      (_, { headers }) => headers['content-type'] === 'text/plain',
      () => error(415),
    ),
    finds: 'create-refuses-form',
    isNote: true,
  },
  '500 for names beyond ASCII': {
    traits: edit(
      (_, { body = '' }) => /[^ -~]/.test(body),
      () => error(500),
    ),
    finds: 'server-error',
  },
  '500 for long names': {
    traits: edit(
      (_, { body = '' }) => body.length > 256,
      () => error(500),
    ),
    finds: 'server-error',
  },
}
