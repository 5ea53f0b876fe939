import type { JsonObject } from '../../../../src/base/json/value.ts'
import { animals, edit, error, type Faults, hasStatus, header, html, isGet, isPet, without } from './edits.ts'
import { herd } from './traits.ts'

const isUnknown = (reply: { readonly status: number }, call: Parameters<typeof isGet>[1]) =>
  reply.status === 404 && isGet({ ...reply, headers: {}, text: '' }, call)
const long: readonly JsonObject[] = [
  ...herd.slice(0, 12),
  { id: 9_007_199_254_740_993n, name: 'Long', categoryId: 1, status: 'sold' },
  { id: 9_007_199_254_740_997n, name: 'Longer', categoryId: 2 },
]
const rounded = (id: unknown) => String(BigInt(Math.round(Number(id))))

export const faultsOfAnimals: Faults = {
  'the last animal has another status': {
    traits: animals(isPet, pet => (pet.id === 133 ? { ...pet, status: 'sold' } : pet)),
    finds: 'get-same: GET /pets/133 → 200: status is “sold”, not “available”',
  },
  'names in capitals': {
    traits: animals(isPet, pet => ({ ...pet, name: String(pet.name).toUpperCase() })),
    finds: 'get-same: GET /pets/7 → 200: name is “PET 0”, not “Pet 0”',
  },
  'names lose their accents': {
    traits: animals(isPet, pet => ({ ...pet, name: String(pet.name).replaceAll(/[^ -~]/g, '?') })),
    finds: 'get-same: GET /pets/22 → 200: name is “Zo?”, not “Zoë”',
  },
  'animals lose their status': {
    traits: animals(isPet, ({ status: _, ...pet }) => pet),
    finds: 'get-same: GET /pets/7 → 200: status is nothing, not “available”',
  },
  'another category': {
    traits: animals(isPet, pet => ({ ...pet, categoryId: 1 })),
    finds: 'get-same: GET /pets/22 → 200: categoryId is 1, not 2',
  },
  'the animal before': {
    traits: animals(isPet, pet => herd[Math.max(0, herd.findIndex(({ id }) => id === pet.id) - 1)] ?? pet),
    finds:
      'get-same: GET /pets/22 → 200: id is 19, not 22; name is “Pet 4”, not “Zoë”; categoryId is 1, not 2; status is nothing, not “sold”',
  },
  'always the first animal': {
    traits: edit(isPet, () => ({ text: '{"id":7,"name":"Pet 0","categoryId":1,"status":"available"}' })),
    finds:
      'get-same: GET /pets/22 → 200: id is 7, not 22; name is “Pet 0”, not “Zoë”; categoryId is 1, not 2; status is “available”, not “sold”',
  },
  'no animal beyond the first twenty': {
    traits: edit(
      (reply, call) => isPet(reply, call) && Number(/\d+$/.exec(call.target)?.[0]) > 67,
      () => error(404),
    ),
    finds: 'get-answers: GET /pets/133 → 404: the status is 404, not 200',
  },
  'an animal in an array': {
    traits: edit(isPet, ({ text }) => ({ text: `[${text}]` })),
    finds: 'contract-body: GET /pets/7 → 200: Response body must be object',
  },
  'an animal in an envelope': {
    traits: edit(isPet, ({ text }) => ({ text: `{"data":${text}}` })),
    finds:
      "contract-body: GET /pets/7 → 200: Response body must have required property 'categoryId'; Response body must have required property 'id'; Response body mus",
  },
  'an id as a text': {
    traits: animals(isPet, pet => ({ ...pet, id: String(pet.id) })),
    finds: 'contract-body: GET /pets/7 → 200: Response body property id must be integer',
  },
  'an animal as text': {
    traits: header(isPet, 'content-type', () => 'text/plain'),
    finds:
      'contract-media-type: GET /pets/7 → 200: The received media type "text/plain" does not match the one specified in the current response: application/json',
  },
  '200 and null for an unknown id': {
    traits: edit(isUnknown, () => ({ status: 200, text: 'null' })),
    finds: 'get-unknown: GET /pets/1000136 → 200: the status is 200, not 404',
  },
  '200 and {} for an unknown id': {
    traits: edit(isUnknown, () => ({ status: 200, text: '{}' })),
    finds: 'get-unknown: GET /pets/1000136 → 200: the status is 200, not 404',
  },
  '204 for an unknown id': {
    traits: edit(isUnknown, () => ({ status: 204, text: '' })),
    finds: 'get-unknown: GET /pets/1000136 → 204: the status is 204, not 404',
  },
  '400 for an unknown id': {
    traits: edit(isUnknown, () => error(400)),
    finds: 'get-unknown: GET /pets/1000136 → 400: the status is 400, not 404',
  },
  '410 for an unknown id': {
    traits: edit(isUnknown, () => error(410)),
    finds: 'get-unknown: GET /pets/1000136 → 410: the status is 410, not 404',
  },
  '403 for an unknown id': {
    traits: edit(isUnknown, () => error(403)),
    finds: 'get-unknown: GET /pets/1000136 → 403: the status is 403, not 404',
  },
  '500 for an unknown id': {
    traits: edit(isUnknown, () => error(500)),
    finds: 'availability: GET /pets/none → 500: the status is 500',
  },
  '500 for an id beyond 2^53': {
    traits: edit(
      (reply, call) => isUnknown(reply, call) && call.target.length > 25,
      () => error(500),
    ),
    finds: 'availability: GET /pets/9223372036854775783 → 500: the status is 500',
  },
  'another animal for an unknown id': {
    traits: edit(isUnknown, () => ({
      status: 200,
      text: '{"id":7,"name":"Pet 0","categoryId":1,"status":"available"}',
    })),
    finds: 'get-unknown: GET /pets/1000136 → 200: the status is 200, not 404',
  },
  '404 in HTML': {
    traits: edit(isUnknown, ({ headers }) => ({ text: html.text, headers: { ...headers, ...html.headers } })),
    finds:
      'contract-media-type: GET /pets/1000136 → 404: The received media type "text/html" does not match the one specified in the current response: application/json',
  },
  '404 with another status in its Error': {
    traits: edit(isUnknown, ({ text }) => ({ text: text.replace(':404}', ':200}') })),
    finds: 'error-status: GET /pets/1000136 → 404: the Error has 200, the response 404',
  },
  '404 without a code': {
    traits: edit(hasStatus(404), ({ text }) => ({ text: text.replace('"code":"E404",', '') })),
    finds: "contract-body: GET /pets/1000136 → 404: Response body must have required property 'code'",
  },
  'ids beyond 2^53 are rounded in lists': {
    traits: {
      pets: long,
      ...edit(
        ({ text }) => text.startsWith('['),
        ({ text }) => ({ text: text.replaceAll(/\d{16}/g, rounded) }),
      ),
    },
    finds: 'get-answers: GET /pets/9007199254740992 → 404: the status is 404, not 200',
  },
  'ids beyond 2^53 are rounded in animals': {
    traits: { pets: long, ...edit(isPet, ({ text }) => ({ text: text.replaceAll(/\d{16}/g, rounded) })) },
    finds: 'int64-exact: GET /pets/1002 → 200: categoryId is 9007199254740992, not 9007199254740993',
  },
  'ids beyond 2^53 are looked up as doubles': {
    traits: {
      pets: long,
      reading: call => ({ ...call, target: call.target.replace('9007199254740992', '9007199254740993') }),
    },
    finds: 'get-unknown: GET /pets/9007199254740992 → 200: the status is 200, not 404',
  },
  'no Sunset': {
    traits: without(isGet, 'sunset'),
    finds: 'deprecation-sunset: GET /pets/7 → 200: Sunset is missing',
    isNote: true,
  },
  'a removal in another year': {
    traits: header(isPet, 'sunset', () => 'Fri, 05 Dec 2031 00:00:00 GMT'),
    finds: 'deprecation-date: GET /pets/7 → 200: Sunset is Fri, 05 Dec 2031 00:00:00 GMT',
  },
  'a removal in another month': {
    traits: header(isPet, 'sunset', () => 'Sun, 12 May 2030 00:00:00 GMT'),
    finds: 'deprecation-date: GET /pets/7 → 200: Sunset is Sun, 12 May 2030 00:00:00 GMT',
  },
  'no successor': {
    traits: without(isPet, 'link'),
    finds: 'deprecation-successor: GET /pets/7 → 200: Link is missing',
    isNote: true,
  },
  'a malformed id is 400': {
    traits: edit(
      (_, { target }) => /pets\/[a-z]/.test(target),
      () => error(400),
    ),
    finds: 'get-malformed: GET /pets/none → 400: the status is 400, not 404',
    isNote: true,
  },
}
