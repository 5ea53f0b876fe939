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
    finds: 'get-same',
  },
  'names in capitals': {
    traits: animals(isPet, pet => ({ ...pet, name: String(pet.name).toUpperCase() })),
    finds: 'get-same',
  },
  'names lose their accents': {
    traits: animals(isPet, pet => ({ ...pet, name: String(pet.name).replaceAll(/[^ -~]/g, '?') })),
    finds: 'get-same',
  },
  'animals lose their status': { traits: animals(isPet, ({ status: _, ...pet }) => pet), finds: 'get-same' },
  'another category': { traits: animals(isPet, pet => ({ ...pet, categoryId: 1 })), finds: 'get-same' },
  'the animal before': {
    traits: animals(isPet, pet => herd[Math.max(0, herd.findIndex(({ id }) => id === pet.id) - 1)] ?? pet),
    finds: 'get-same',
  },
  'always the first animal': {
    traits: edit(isPet, () => ({ text: '{"id":7,"name":"Pet 0","categoryId":1,"status":"available"}' })),
    finds: 'get-same',
  },
  'no animal beyond the first twenty': {
    traits: edit(
      (reply, call) => isPet(reply, call) && Number(/\d+$/.exec(call.target)?.[0]) > 67,
      () => error(404),
    ),
    finds: 'get-answers',
  },
  'an animal in an array': {
    traits: edit(isPet, ({ text }) => ({ text: `[${text}]` })),
    finds: 'contract-body',
  },
  'an animal in an envelope': {
    traits: edit(isPet, ({ text }) => ({ text: `{"data":${text}}` })),
    finds: 'contract-body',
  },
  'an id as a text': {
    traits: animals(isPet, pet => ({ ...pet, id: String(pet.id) })),
    finds: 'contract-body',
  },
  'an animal as text': {
    traits: header(isPet, 'content-type', () => 'text/plain'),
    finds: 'contract-media-type',
  },
  '200 and null for an unknown id': {
    traits: edit(isUnknown, () => ({ status: 200, text: 'null' })),
    finds: 'get-unknown',
  },
  '200 and {} for an unknown id': {
    traits: edit(isUnknown, () => ({ status: 200, text: '{}' })),
    finds: 'get-unknown',
  },
  '204 for an unknown id': {
    traits: edit(isUnknown, () => ({ status: 204, text: '' })),
    finds: 'get-unknown',
  },
  '400 for an unknown id': { traits: edit(isUnknown, () => error(400)), finds: 'get-unknown' },
  '410 for an unknown id': { traits: edit(isUnknown, () => error(410)), finds: 'get-unknown' },
  '403 for an unknown id': { traits: edit(isUnknown, () => error(403)), finds: 'get-unknown' },
  '500 for an unknown id': { traits: edit(isUnknown, () => error(500)), finds: 'server-error' },
  '500 for an id beyond 2^53': {
    traits: edit(
      (reply, call) => isUnknown(reply, call) && call.target.length > 25,
      () => error(500),
    ),
    finds: 'server-error',
  },
  'another animal for an unknown id': {
    traits: edit(isUnknown, () => ({
      status: 200,
      text: '{"id":7,"name":"Pet 0","categoryId":1,"status":"available"}',
    })),
    finds: 'get-unknown',
  },
  '404 in HTML': {
    traits: edit(isUnknown, ({ headers }) => ({ text: html.text, headers: { ...headers, ...html.headers } })),
    finds: 'contract-media-type',
  },
  '404 with another status in its Error': {
    traits: edit(isUnknown, ({ text }) => ({ text: text.replace(':404}', ':200}') })),
    finds: 'error-status',
  },
  '404 without a code': {
    traits: edit(hasStatus(404), ({ text }) => ({ text: text.replace('"code":"E404",', '') })),
    finds: 'contract-body',
  },
  'ids beyond 2^53 are rounded in lists': {
    traits: {
      pets: long,
      ...edit(
        ({ text }) => text.startsWith('['),
        ({ text }) => ({ text: text.replaceAll(/\d{16}/g, rounded) }),
      ),
    },
    finds: 'get-answers',
  },
  'ids beyond 2^53 are rounded in animals': {
    traits: { pets: long, ...edit(isPet, ({ text }) => ({ text: text.replaceAll(/\d{16}/g, rounded) })) },
    finds: 'int64-exact',
  },
  'ids beyond 2^53 are looked up as doubles': {
    traits: {
      pets: long,
      reading: call => ({ ...call, target: call.target.replace('9007199254740992', '9007199254740993') }),
    },
    finds: 'get-unknown',
  },
  'no Sunset': { traits: without(isGet, 'sunset'), finds: 'deprecation-sunset', isNote: true },
  'a removal in another year': {
    traits: header(isPet, 'sunset', () => 'Fri, 05 Dec 2031 00:00:00 GMT'),
    finds: 'deprecation-date',
  },
  'a removal in another month': {
    traits: header(isPet, 'sunset', () => 'Sun, 12 May 2030 00:00:00 GMT'),
    finds: 'deprecation-date',
  },
  'no successor': { traits: without(isPet, 'link'), finds: 'deprecation-successor', isNote: true },
  'a malformed id is 400': {
    traits: edit(
      (_, { target }) => /pets\/[a-z]/.test(target),
      () => error(400),
    ),
    finds: 'get-malformed',
    isNote: true,
  },
}
