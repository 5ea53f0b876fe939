import type { JsonObject } from '../../../../src/base/json/value.ts'
import { animals, edit, error, type Faults, hasStatus, header, html, isMade } from './edits.ts'
import { type Reply, usual } from './traits.ts'

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
  '200 for a new animal': {
    traits: edit(isMade, () => ({ status: 200 })),
    finds: 'create-answers: POST /pets → 200: the status is 200, not 201',
  },
  '202 for a new animal': {
    traits: edit(isMade, () => ({ status: 202 })),
    finds: 'create-answers: POST /pets → 202: the status is 202, not 201',
  },
  '201 without a body': {
    traits: edit(isMade, () => ({ text: '' })),
    finds: 'contract-body: POST /pets → 201: Response body must be object',
  },
  '201 with the id alone': {
    traits: animals(isMade, ({ id = 0 }) => ({ id })),
    finds:
      "contract-body: POST /pets → 201: Response body must have required property 'categoryId'; Response body must have required property 'name'",
  },
  '201 with an id as a text': {
    traits: animals(isMade, pet => ({ ...pet, id: String(pet.id) })),
    finds: 'contract-body: POST /pets → 201: Response body property id must be integer',
  },
  '201 as text': {
    traits: header(isMade, 'content-type', () => 'text/plain'),
    finds:
      'contract-media-type: POST /pets → 201: The received media type "text/plain" does not match the one specified in the current response: application/json',
  },
  'a valid body is refused': {
    traits: edit(isMade, () => error(400)),
    finds: 'create-answers: POST /pets → 400: the status is 400, not 201',
  },
  'a status is required': {
    traits: { problem: sent => (sent.status === undefined ? 'status' : usual.problem(sent)) },
    finds: 'create-answers: POST /pets → 400: the status is 400, not 201',
  },
  '422 for an invalid body': {
    traits: edit(isRefusedBody, () => error(422)),
    finds: 'create-refuses: POST /pets → 422: the status is 422, not 400',
  },
  // No 500 says whether a service refuses a body.
  '500 for an invalid body': {
    traits: edit(isRefusedBody, () => error(500)),
    finds: 'availability: POST /pets → 500: the status is 500',
  },
  '400 in HTML': {
    traits: edit(isRefusedBody, ({ headers }) => ({
      text: html.text,
      headers: { ...headers, ...html.headers },
    })),
    finds:
      'contract-media-type: POST /pets → 400: The received media type "text/html" does not match the one specified in the current response: application/json',
  },
  '400 with another status in its Error': {
    traits: edit(isRefusedBody, ({ text }) => ({ text: text.replace(':400}', ':422}') })),
    finds: 'error-status: POST /pets → 400: the Error has 422, the response 400',
  },
  '400 with a list of errors': {
    traits: edit(isRefusedBody, () => ({ text: '{"errors":["name"]}' })),
    finds:
      "contract-body: POST /pets → 400: Response body must have required property 'code'; Response body must have required property 'message'; Response body must ",
  },
  'a body without a name is taken': {
    traits: takes('name', ({ name }) => name === undefined),
    finds: 'create-refuses: POST /pets → 201: the status is 201, not 400',
  },
  'a body without a category is taken': {
    traits: takes('categoryId', ({ categoryId }) => categoryId === undefined),
    finds: 'create-refuses: POST /pets → 201: the status is 201, not 400',
  },
  'an unknown status is taken': {
    traits: takes('status', () => true),
    finds: 'create-refuses: POST /pets → 201: the status is 201, not 400',
  },
  'a category with a fraction is taken': {
    traits: takes('categoryId', ({ categoryId }) => typeof categoryId === 'number'),
    finds: 'create-refuses: POST /pets → 201: the status is 201, not 400',
  },
  'a category as a text is taken': {
    traits: takes('categoryId', ({ categoryId }) => typeof categoryId === 'string'),
    finds: 'create-refuses: POST /pets → 201: the status is 201, not 400',
  },
  'a category of null is taken': {
    traits: takes('categoryId', ({ categoryId }) => categoryId === null),
    finds: 'create-refuses: POST /pets → 201: the status is 201, not 400',
  },
  'a number as a name is taken': {
    traits: takes('name', ({ name }) => typeof name === 'number'),
    finds: 'create-refuses: POST /pets → 201: the status is 201, not 400',
  },
  'a name of null is taken': {
    traits: takes('name', ({ name }) => name === null),
    finds: 'create-refuses: POST /pets → 201: the status is 201, not 400',
  },
  'any body is taken': {
    traits: { ...takes('name', () => true), problem: () => undefined },
    finds: 'create-refuses: POST /pets → 201: the status is 201, not 400',
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
    finds: 'create-nothing: GET /pets?limit=100 → 200: the list has the animal 90001',
  },
  'Location without the base path': {
    traits: { created: ({ id }) => ({ location: `/pets/${String(id)}` }) },
    finds: 'create-location: POST /pets → 201: Location is /pets/1001',
    isNote: true,
  },
  'names are trimmed': {
    traits: naming(name => name.trim()),
    finds:
      'create-as-sent: POST /pets → 201: name is “Zoë  "O\'Hara"\n<b>&amp; 犬 🐕‍🦺”, not “ Zoë  "O\'Hara"\n<b>&amp; 犬 🐕‍🦺 ”',
  },
  'names are cut at 255': {
    traits: naming(name => name.slice(0, 255)),
    finds:
      'create-as-sent: POST /pets → 201: name is “00420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420',
  },
  'names are cut at 50': {
    traits: naming(name => name.slice(0, 50)),
    finds:
      'create-as-sent: POST /pets → 201: name is “00420042004200420042004200420042004200420042004200”, not “0042004200420042004200420042004200420042004200420042004',
  },
  'names are ASCII only': {
    traits: naming(name => name.replaceAll(/[^ -~]/g, '?')),
    finds:
      'create-as-sent: POST /pets → 201: name is “ Zo?  "O\'Hara"?<b>&amp; ? ????? ”, not “ Zoë  "O\'Hara"\n<b>&amp; 犬 🐕‍🦺 ”',
  },
  'names lose astral characters': {
    traits: naming(name => name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd')),
    finds:
      'create-as-sent: POST /pets → 201: name is “ Zoë  "O\'Hara"\n<b>&amp; 犬 �‍� ”, not “ Zoë  "O\'Hara"\n<b>&amp; 犬 🐕‍🦺 ”',
  },
  'names are Latin-1': {
    traits: naming(name => name.replaceAll(/[\u0100-\uffff]/g, '?')),
    finds:
      'create-as-sent: POST /pets → 201: name is “ Zoë  "O\'Hara"\n<b>&amp; ? ????? ”, not “ Zoë  "O\'Hara"\n<b>&amp; 犬 🐕‍🦺 ”',
  },
  'names are escaped for HTML': {
    traits: naming(name => name.replaceAll('<', '&lt;')),
    finds:
      'create-as-sent: POST /pets → 201: name is “ Zoë  "O\'Hara"\n&lt;b>&amp; 犬 🐕‍🦺 ”, not “ Zoë  "O\'Hara"\n<b>&amp; 犬 🐕‍🦺 ”',
  },
  'names are in lower case': {
    traits: naming(name => name.toLowerCase()),
    finds: 'create-as-sent: POST /pets → 201: name is “luna”, not “Luna”',
  },
  'names are changed when they are read again': {
    traits: {
      visible: pets =>
        pets.map(pet =>
          Number(pet.id) < 1_000 ? pet : { ...pet, name: String(pet.name).replaceAll(/[^ -~]/g, '') },
        ),
    },
    finds:
      'create-kept: GET /pets/1003 → 200: name is “ Zo  "O\'Hara"<b>&amp;   ”, not “ Zoë  "O\'Hara"\n<b>&amp; 犬 🐕‍🦺 ”',
  },
  'the status is dropped': {
    traits: stores(({ status: _, ...pet }) => pet),
    finds: 'create-as-sent: POST /pets → 201: status is nothing, not “pending”',
  },
  'the status is always available': {
    traits: stores(pet => ({ ...pet, status: 'available' })),
    finds: 'create-as-sent: POST /pets → 201: status is “available”, not “pending”',
  },
  'the category is always 1': {
    traits: stores(pet => ({ ...pet, categoryId: 1 })),
    finds: 'create-as-sent: POST /pets → 201: categoryId is 1, not 9007199254740993',
  },
  'int64s are doubles': {
    traits: stores(pet => ({
      ...pet,
      categoryId: typeof pet.categoryId === 'bigint' ? 9_007_199_254_740_992 : (pet.categoryId ?? 1),
    })),
    finds: 'int64-exact: POST /pets → 201: categoryId is 9007199254740992, not 9007199254740993',
  },
  'int64s are doubles when they are read again': {
    traits: {
      visible: pets =>
        pets.map(pet =>
          typeof pet.categoryId === 'bigint' ? { ...pet, categoryId: 9_007_199_254_740_992 } : pet,
        ),
    },
    finds: 'int64-exact: GET /pets/1002 → 200: categoryId is 9007199254740992, not 9007199254740993',
  },
  'int64s are 32 bits long': {
    traits: stores(pet => ({
      ...pet,
      categoryId: typeof pet.categoryId === 'bigint' ? 1 : (pet.categoryId ?? 1),
    })),
    finds: 'create-as-sent: POST /pets → 201: categoryId is 1, not 9007199254740993',
  },
  'a new animal is not found by its id': {
    traits: { visible: (pets, { target }) => (/pets\/\d/.test(target) ? old(pets) : pets) },
    finds: 'create-kept: GET /pets/1003 → 404: the status is 404, not 200',
  },
  'a new animal is not listed': {
    traits: { visible: (pets, { target }) => (/pets\/\d/.test(target) ? pets : old(pets)) },
    finds: 'create-listed: GET /pets?limit=100 → 200: the animal 1000 is missing',
  },
  'a new animal is not found by its status': {
    traits: { visible: (pets, _, status) => (status === null ? pets : old(pets)) },
    finds: 'create-listed: GET /pets?limit=100&status=pending → 200: the animal 1000 is missing',
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
    finds: 'create-listed: GET /pets?limit=100 → 200: the animal 1000 is missing',
  },
  'a new animal gets an id that exists': {
    traits: { firstNewId: 22, shown: pet => pet },
    finds: 'create-new-id: POST /pets → 201: another animal has the id 22',
  },
  'every new animal gets the same id': {
    traits: { idStep: 0 },
    finds: 'create-new-id: POST /pets → 201: another animal has the id 1000',
  },
  'Location of another animal': {
    traits: { created: () => ({ location: '/v1/pets/1' }) },
    finds: 'create-location-own: POST /pets → 201: Location is /v1/pets/1, the id 1001',
  },
  'a default for the status': {
    traits: stores(pet => ({ status: 'available', ...pet })),
    finds: 'create-status-absent: POST /pets → 201: the status is “available”',
    isNote: true,
  },
  '415 for a body as text': {
    traits: edit(
      (_, { headers }) => headers['content-type'] === 'text/plain',
      () => error(415),
    ),
    finds: 'create-refuses-form: POST /pets → 415: the status is 415, not 400',
    isNote: true,
  },
  'names lose double spaces': {
    traits: naming(name => name.replaceAll(/ {2,}/g, ' ')),
    finds:
      'create-spaces: POST /pets → 201: name is “ Zoë "O\'Hara"\n<b>&amp; 犬 🐕‍🦺 ”, not “ Zoë  "O\'Hara"\n<b>&amp; 犬 🐕‍🦺 ”',
    isNote: true,
  },
  'names lose line breaks': {
    traits: naming(name => name.replaceAll('\n', '')),
    finds:
      'create-spaces: POST /pets → 201: name is “ Zoë  "O\'Hara"<b>&amp; 犬 🐕‍🦺 ”, not “ Zoë  "O\'Hara"\n<b>&amp; 犬 🐕‍🦺 ”',
    isNote: true,
  },
  'an equal second body gets the first animal': {
    traits: () => {
      const made = new Map<string | undefined, Pick<Reply, 'status' | 'headers' | 'text'>>()
      return edit(isMade, (reply, { body }) => {
        const first = made.get(body) ?? reply
        made.set(body, first)
        return { text: first.text, headers: { ...reply.headers, location: first.headers.location ?? '' } }
      })
    },
    finds: 'create-again: POST /pets → 201: the animal 1004 came again',
    isNote: true,
  },
  'createPet announces its removal': {
    traits: header(isMade, 'sunset', () => 'Thu, 05 Dec 2030 00:00:00 GMT'),
    finds: 'deprecation-only: POST /pets → 201: Sunset is Thu, 05 Dec 2030 00:00:00 GMT',
    isNote: true,
  },
  'names of digits are numbers': {
    traits: { shown: pet => (/^\d+$/.test(String(pet.name)) ? { ...pet, name: Number(pet.name) } : pet) },
    finds:
      'create-as-sent: POST /pets → 201: name is 4.2004200420042e+297, not “004200420042004200420042004200420042004200420042004200420042004200420042004200420042004',
  },
  'another type that ends in +json': {
    traits: edit(
      ({ status }) => status === 201,
      ({ headers }) => ({ headers: { ...headers, 'content-type': 'application/vnd.pets+json' } }),
    ),
    finds:
      'contract-media-type: POST /pets → 201: Content-Type is application/vnd.pets+json, not application/json',
  },
  '500 for names beyond ASCII': {
    traits: edit(
      (_, { body = '' }) => /[^ -~]/.test(body),
      () => error(500),
    ),
    // A POST is not repeated: a gateway may have sent two of 60 answers. The run for pro sends more such names.
    finds: 'availability: POST /pets → 500: the status is 500',
    isNote: 'free',
  },
  '500 for long names': {
    traits: edit(
      (_, { body = '' }) => body.length > 256,
      () => error(500),
    ),
    finds: 'availability: POST /pets → 500: the status is 500',
    isNote: true,
  },
}
