import {
  animals,
  edit,
  error,
  type Faults,
  header,
  html,
  isFiltered,
  isList,
  lists,
  misreads,
} from './edits.ts'
import { herd, usual } from './traits.ts'

const link = (from: RegExp, to: string) =>
  header(isList, 'link', value => value.replace(from, to) || undefined)
const plus = (n: number) =>
  header(
    isList,
    'link',
    value => value.replace(/from=(\d+)/, (_, from) => `from=${Number(from) + n}`) || undefined,
  )
const isPage = (_: unknown, { target }: { readonly target: string }) => /[?&]from=/.test(target)

export const faultsOfLists: Faults = {
  'a default of 50': { traits: { defaultLimit: 50 }, finds: 'list-default' },
  'a default of 10': { traits: { defaultLimit: 10 }, finds: 'list-default' },
  'no limit without `limit`': { traits: { defaultLimit: 100 }, finds: 'list-default' },
  'one animal more than `limit`': { traits: misreads(/limit=1\b/, 'limit=2'), finds: 'list-limit' },
  '`limit` is ignored': { traits: misreads(/limit=\d+/, 'x=y'), finds: 'list-limit' },
  '`limit` is ignored with a filter': {
    traits: misreads(/limit=\d+(?=.*status)/, 'limit=100'),
    finds: 'list-limit',
  },
  '`limit` of 100 is refused': {
    traits: edit(
      (_, { target }) => target.includes('limit=100'),
      () => error(400),
    ),
    finds: 'list-answers',
  },
  'the filter is ignored': { traits: misreads(/status=\w+/, 'x=y'), finds: 'list-filter' },
  'the filter loses the first animal': {
    traits: lists(isFiltered, pets => pets.slice(1)),
    finds: 'list-filter-complete',
  },
  'the filter loses the last animal': {
    traits: {
      visible: (pets, _, status) =>
        status === null
          ? pets
          : pets.filter(pet => pet !== pets.filter(({ status: one }) => one === status).at(-1)),
    },
    finds: 'list-filter-complete',
  },
  'pending finds what is sold': { traits: misreads(/status=pending/, 'status=sold'), finds: 'list-filter' },
  'sold finds nothing': {
    traits: lists(
      (reply, call) => isFiltered(reply, call) && call.target.includes('sold'),
      () => [],
    ),
    finds: 'list-filter-complete',
  },
  '404 for an empty filter': {
    traits: {
      pets: herd.filter(({ status }) => status !== 'sold'),
      ...edit(
        (reply, call) => isFiltered(reply, call) && reply.text === '[]',
        () => error(404),
      ),
      stored: pet => ({ ...pet, ...(pet.status === 'sold' && { status: 'pending' }) }),
    },
    finds: 'list-answers',
  },
  'the next page loses the filter': { traits: link(/&status=\w+/, ''), finds: 'page-filter' },
  'the next page repeats an animal': { traits: plus(-1), finds: 'page-continues' },
  'the next page skips an animal': { traits: plus(1), finds: 'page-continues' },
  'the next page is the first one': { traits: link(/from=\d+/, 'from=0'), finds: 'page-continues' },
  'the next page skips an animal of a filter': {
    traits: header(
      isFiltered,
      'link',
      value => value.replace(/from=(\d+)/, (_, from) => `from=${Number(from) + 1}`) || undefined,
    ),
    finds: 'page-continues',
  },
  'the next page is 404': { traits: link(/\/v1\/pets/, '/pets'), finds: 'page-continues' },
  'the next page is 400': { traits: edit(isPage, () => error(400)), finds: 'page-continues' },
  'the last page is missing': {
    traits: {
      link: (url, { target }) =>
        Number(/from=(\d+)/.exec(target)?.[1] ?? 0) > 15 ? '' : `<${url}>; rel="next"`,
    },
    finds: 'page-continues',
  },
  'ids are texts': {
    traits: animals(isList, pet => ({ ...pet, id: String(pet.id) })),
    finds: 'contract-body',
  },
  'categories are texts': {
    traits: animals(isList, pet => ({ ...pet, categoryId: String(pet.categoryId) })),
    finds: 'contract-body',
  },
  'ids have fractions': {
    traits: animals(isList, pet => ({ ...pet, id: Number(pet.id) + 0.5 })),
    finds: 'contract-body',
  },
  'a missing status is null': {
    traits: animals(isList, pet => ({ status: null, ...pet })),
    finds: 'contract-body',
  },
  'a status in capitals': {
    traits: animals(isList, pet => ({
      ...pet,
      ...(typeof pet.status === 'string' && { status: pet.status.toUpperCase() }),
    })),
    finds: 'contract-body',
  },
  'a status of its own': {
    traits: { shown: pet => (Number(pet.id) === 22 ? { ...pet, status: 'reserved' } : pet) },
    finds: 'contract-body',
  },
  'animals without a name': { traits: animals(isList, ({ name: _, ...pet }) => pet), finds: 'contract-body' },
  'one animal without a category': {
    traits: animals(isList, ({ categoryId, ...pet }, at) =>
      at === 2 ? pet : { categoryId: categoryId ?? 1, ...pet },
    ),
    finds: 'contract-body',
  },
  'an envelope': { traits: lists(isList, pets => ({ pets, total: 43 })), finds: 'contract-body' },
  'an envelope around a filtered list': {
    traits: lists(isFiltered, pets => ({ data: pets })),
    finds: 'contract-body',
  },
  'a list in HTML': {
    traits: edit(isList, ({ headers }) => ({ headers: { ...headers, ...html.headers } })),
    finds: 'contract-media-type',
  },
  'JSON as text': {
    traits: header(isList, 'content-type', () => 'text/plain'),
    finds: 'contract-media-type',
  },
  'a body that ends early': {
    traits: edit(isList, ({ text }) => ({ text: text.slice(0, -2) })),
    finds: 'contract-body',
  },
  '206 for a page': {
    traits: edit(isList, ({ headers }) => ({ status: headers.link === undefined ? 200 : 206 })),
    finds: 'list-answers',
  },
  'an animal twice': {
    traits: lists(isList, pets => [...pets.slice(0, 1), ...pets].slice(0, Math.max(1, pets.length))),
    finds: 'list-ids-unique',
  },
  'lists announce their removal': {
    traits: header(isList, 'sunset', () => 'Thu, 05 Dec 2030 00:00:00 GMT'),
    finds: 'deprecation-only',
  },
  'ids descend': {
    traits: { order: (one, other) => -usual.order(one, other) },
    finds: 'list-ids-ascend',
    isNote: true,
  },
  'no links': { traits: { link: () => '' }, finds: 'page-linked', isNote: true },
  'a `limit` out of range is clamped': {
    traits: misreads(/limit=101/, 'limit=100'),
    finds: 'list-limit-refused',
    isNote: true,
  },
}
