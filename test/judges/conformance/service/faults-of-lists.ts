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
import { herd, type Traits, usual } from './traits.ts'

const link = (from: RegExp, to: string) =>
  header(isList, 'link', value => value.replace(from, to) || undefined)
const plus = (n: number) =>
  header(
    isList,
    'link',
    value => value.replace(/from=(\d+)/, (_, from) => `from=${Number(from) + n}`) || undefined,
  )
const isPage = (_: unknown, { target }: { readonly target: string }) => /[?&]from=/.test(target)

/** Sends one animal too many for some values of `limit`. */
const oneMore = (where: (limit: number) => boolean): Partial<Traits> => ({
  reading: call => {
    const limit = Number(/limit=(\d+)/.exec(call.target)?.[1] ?? 100)
    const most = limit < 100 && where(limit) ? limit + 1 : limit
    return { ...call, target: call.target.replace(/limit=\d+/, `limit=${most}`) }
  },
})

export const faultsOfLists: Faults = {
  'limit=1 is refused': {
    traits: edit(
      (reply, { target }) => reply.status === 200 && target.endsWith('limit=1'),
      () => error(400),
    ),
    finds: 'list-answers: GET /pets?limit=1 → 400: the status is 400, not 200',
    spares: 'auth-scheme-case',
  },
  '204 for an empty store': {
    traits: {
      pets: [],
      ...edit(
        (reply, call) => isList(reply, call) && reply.text === '[]',
        () => ({ status: 204, text: '' }),
      ),
    },
    finds: 'list-answers: GET /pets → 204: the status is 204, not 200',
    spares: 'auth-scheme-case',
  },
  'a byte order mark before a list': {
    traits: edit(isList, ({ text }) => ({ text: `\ufeff${text}` })),
    finds: 'json-no-mark: GET /pets → 200: the body begins with U+FEFF',
  },
  'a default of 50': { traits: { defaultLimit: 50 }, finds: 'list-default: GET /pets → 200: 43 animals' },
  'a default of 10': {
    traits: { defaultLimit: 10 },
    finds: 'list-default: GET /pets → 200: 10 animals, but 20 with limit=20',
  },
  'no limit without `limit`': {
    traits: { defaultLimit: 100 },
    finds: 'list-default: GET /pets → 200: 43 animals',
  },
  'one animal more than `limit`': {
    traits: misreads(/limit=1\b/, 'limit=2'),
    finds: 'list-limit: GET /pets?limit=1 → 200: 2 animals, at most 1 allowed',
  },
  'one animal more than any `limit`': {
    traits: oneMore(() => true),
    finds: 'list-limit: GET /pets?limit=1 → 200: 2 animals, at most 1 allowed',
  },
  'one animal more than a `limit` from 40 on': {
    traits: oneMore(limit => limit >= 40),
    finds: 'list-limit: GET /pets?limit=42 → 200: 43 animals, at most 42 allowed',
  },
  'one animal more than any `limit`, of two animals': {
    traits: { pets: herd.slice(0, 2), ...oneMore(() => true) },
    finds: 'list-limit: GET /pets?limit=1 → 200: 2 animals, at most 1 allowed',
  },
  'one animal more than any `limit`, of no animals but new ones': {
    traits: { pets: herd.slice(0, 0), ...oneMore(() => true) },
    finds: 'list-limit: GET /pets?limit=2 → 200: 3 animals, at most 2 allowed',
  },
  '`limit` is ignored': {
    traits: misreads(/limit=\d+/, 'x=y'),
    finds: 'list-limit: GET /pets?limit=1 → 200: 20 animals, at most 1 allowed',
  },
  '`limit` is ignored with a filter': {
    traits: misreads(/limit=\d+(?=.*status)/, 'limit=100'),
    finds: 'list-limit: GET /pets?limit=4&status=pending → 200: 10 animals, at most 4 allowed',
  },
  '`limit` of 100 is refused': {
    traits: edit(
      (_, { target }) => target.includes('limit=100'),
      () => error(400),
    ),
    finds: 'list-answers: GET /pets?limit=100 → 400: the status is 400, not 200',
  },
  'the filter is ignored': {
    traits: misreads(/status=\w+/, 'x=y'),
    finds:
      'list-filter: GET /pets?limit=100&status=sold → 200: the animal 7 has the status “available”, not sold',
  },
  'the filter loses the first animal': {
    traits: lists(isFiltered, pets => pets.slice(1)),
    finds: 'list-filter-complete: GET /pets?limit=100&status=sold → 200: the animal 13 is missing',
  },
  'the filter loses the last animal': {
    traits: {
      visible: (pets, _, status) =>
        status === null
          ? pets
          : pets.filter(pet => pet !== pets.filter(({ status: one }) => one === status).at(-1)),
    },
    finds: 'list-filter-complete: GET /pets?limit=100&status=sold → 200: the animal 130 is missing',
  },
  'pending finds what is sold': {
    traits: misreads(/status=pending/, 'status=sold'),
    finds:
      'list-filter: GET /pets?limit=4&status=pending → 200: the animal 13 has the status “sold”, not pending',
  },
  'sold finds nothing': {
    traits: lists(
      (reply, call) => isFiltered(reply, call) && call.target.includes('sold'),
      () => [],
    ),
    finds: 'list-filter-complete: GET /pets?limit=100&status=sold → 200: the animal 13 is missing',
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
    finds: 'list-answers: GET /pets?limit=100&status=sold → 404: the status is 404, not 200',
  },
  'the next page loses the filter': {
    traits: link(/&status=\w+/, ''),
    finds: 'page-filter: GET /pets?from=8&limit=4 → 200: the animal 40 has the status “sold”, not pending',
  },
  'the next page repeats an animal': {
    traits: plus(-1),
    finds: 'page-continues: GET /pets?limit=15 → 200: the animal 49 comes twice',
  },
  'the next page skips an animal': {
    traits: plus(1),
    finds: 'page-continues: GET /pets?limit=15 → 200: the animal 52 does not come',
  },
  'the next page is the first one': {
    traits: link(/from=\d+/, 'from=0'),
    finds: 'page-continues: GET /pets?limit=15 → 200: the animal 7 comes twice',
  },
  'the next page skips an animal of a filter': {
    traits: header(
      isFiltered,
      'link',
      value => value.replace(/from=(\d+)/, (_, from) => `from=${Number(from) + 1}`) || undefined,
    ),
    finds: 'page-continues: GET /pets?limit=4&status=pending → 200: the animal 73 does not come',
  },
  'a filter sees the first animals of a page alone, and ends the list': {
    traits: {
      visible: (pets, { target }, status) =>
        status === null ? pets : pets.slice(0, Number(/limit=(\d+)/.exec(target)?.[1] ?? 20)),
    },
    finds: 'page-continues: GET /pets?limit=4&status=pending → 200: the animal 28 does not come',
  },
  'the next page is 404': {
    traits: link(/\/v1\/pets/, '/pets'),
    finds:
      'page-continues: GET /pets?limit=15 → 200: the link rel="next" http://127.0.0.1:80/pets?from=15&limit=15 gets 404',
  },
  'the next page is 400': {
    traits: edit(isPage, () => error(400)),
    finds:
      'page-continues: GET /pets?limit=15 → 200: the link rel="next" http://127.0.0.1:80/v1/pets?from=15&limit=15 gets 400',
  },
  'the last page is missing': {
    traits: {
      link: (url, { target }) =>
        Number(/from=(\d+)/.exec(target)?.[1] ?? 0) > 10 ? '' : `<${url}>; rel="next"`,
    },
    finds: 'page-continues: GET /pets?limit=15 → 200: the animal 97 does not come',
  },
  'ids are texts': {
    traits: animals(isList, pet => ({ ...pet, id: String(pet.id) })),
    finds:
      'contract-body: GET /pets → 200: Response body property 0.id must be integer; Response body property 1.id must be integer; Response body property 2.id must ',
  },
  'categories are texts': {
    traits: animals(isList, pet => ({ ...pet, categoryId: String(pet.categoryId) })),
    finds:
      'contract-body: GET /pets → 200: Response body property 0.categoryId must be integer; Response body property 1.categoryId must be integer; Response body pro',
  },
  'ids have fractions': {
    traits: animals(isList, pet => ({ ...pet, id: Number(pet.id) + 0.5 })),
    finds:
      'contract-body: GET /pets → 200: Response body property 0.id must be integer; Response body property 0.id must match format "int64"; Response body property ',
  },
  'a missing status is null': {
    traits: animals(isList, pet => ({ status: null, ...pet })),
    finds:
      'contract-body: GET /pets → 200: Response body property 3.status must be string; Response body property 3.status must be equal to one of the allowed values:',
  },
  'a status in capitals': {
    traits: animals(isList, pet => ({
      ...pet,
      ...(typeof pet.status === 'string' && { status: pet.status.toUpperCase() }),
    })),
    finds:
      'contract-body: GET /pets → 200: Response body property 0.status must be equal to one of the allowed values: available, pending, sold; Response body propert',
  },
  'a status of its own': {
    traits: { shown: pet => (Number(pet.id) === 22 ? { ...pet, status: 'reserved' } : pet) },
    finds:
      'contract-body: GET /pets → 200: Response body property 5.status must be equal to one of the allowed values: available, pending, sold',
  },
  'animals without a name': {
    traits: animals(isList, ({ name: _, ...pet }) => pet),
    finds:
      "contract-body: GET /pets → 200: Response body property 0 must have required property 'name'; Response body property 1 must have required property 'name'; R",
  },
  'one animal without a category': {
    traits: animals(isList, ({ categoryId, ...pet }, at) =>
      at === 2 ? pet : { categoryId: categoryId ?? 1, ...pet },
    ),
    finds:
      "contract-body: GET /pets → 200: Response body property 2 must have required property 'categoryId'",
  },
  'an envelope': {
    traits: lists(isList, pets => ({ pets, total: 43 })),
    finds: 'contract-body: GET /pets → 200: Response body must be array',
  },
  'an envelope around a filtered list': {
    traits: lists(isFiltered, pets => ({ data: pets })),
    finds: 'contract-body: GET /pets?limit=100&status=sold → 200: Response body must be array',
  },
  'a list in HTML': {
    traits: edit(isList, ({ headers }) => ({ headers: { ...headers, ...html.headers } })),
    finds:
      'contract-media-type: GET /pets → 200: The received media type "text/html" does not match the one specified in the current response: application/json',
  },
  'JSON as text': {
    traits: header(isList, 'content-type', () => 'text/plain'),
    finds:
      'contract-media-type: GET /pets → 200: The received media type "text/plain" does not match the one specified in the current response: application/json',
  },
  'a body that ends early': {
    traits: edit(isList, ({ text }) => ({ text: text.slice(0, -2) })),
    finds: 'contract-body: GET /pets → 200: Response body is not JSON: the text ends inside an object',
  },
  '206 for a page': {
    traits: edit(isList, ({ headers }) => ({ status: headers.link === undefined ? 200 : 206 })),
    finds: 'list-answers: GET /pets → 206: the status is 206, not 200',
  },
  'an animal twice': {
    traits: lists(isList, pets => [...pets.slice(0, 1), ...pets].slice(0, Math.max(1, pets.length))),
    finds: 'list-ids-unique: GET /pets → 200: the id 7 occurs twice',
  },
  'lists announce their removal': {
    traits: header(isList, 'sunset', () => 'Thu, 05 Dec 2030 00:00:00 GMT'),
    finds: 'deprecation-only: GET /pets → 200: Sunset is Thu, 05 Dec 2030 00:00:00 GMT',
    isNote: true,
  },
  'ids descend': {
    traits: { order: (one, other) => -usual.order(one, other) },
    finds: 'list-ids-ascend: GET /pets → 200: 130 follows 133',
    isNote: true,
  },
  'no links': {
    traits: { link: () => '' },
    finds: 'page-linked: GET /pets → 200: it has no link rel="next"',
    isNote: true,
  },
  'a `limit` out of range is clamped': {
    traits: misreads(/limit=101/, 'limit=100'),
    finds: 'list-limit-refused: GET /pets?limit=101 → 200: the status is 200, not 400',
    isNote: true,
  },
}
