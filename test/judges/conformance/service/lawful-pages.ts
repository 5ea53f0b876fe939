import { edit, error, header, html, isList } from './edits.ts'
import type { Call, Reply } from './traits.ts'
import type { Variation, Variations } from './variation.ts'

const isBadQuery = ({ status }: Reply, { method, target }: Call) =>
  status === 400 && method === 'GET' && /\?/.test(target)
const link = (change: (url: string) => string): Variation => ({ traits: { link: url => change(url) } })

export const ofPages: Variations = {
  'ten animals on a page at most': { traits: { pageMost: 10, defaultLimit: 10 } },
  'ten animals on a page at most, and no links': {
    traits: { pageMost: 10, defaultLimit: 10, link: () => '' },
  },
  'no links': { traits: { link: () => '' } },
  'a link with a path': link(url => `<${url.replace(/^http:\/\/[^/]*/, '')}>; rel="next"`),
  'a link with a query only': link(url => `<${url.slice(url.indexOf('?'))}>; rel="next"`),
  'a link on the public host': link(
    url => `<${url.replace(/^http:\/\/[^/]*/, 'https://api.example')}>; rel="next"`,
  ),
  'a link without quotes': link(url => `<${url}>;rel=next`),
  'a link with other parameters first': link(url => `<${url}>; title="next, please"; REL="last next"`),
  'several links': link(url => `</v1/pets?x=a,b>; rel="first", <${url}> ; rel=next, </v1/pets>; rel="last"`),
  'a link to an empty last page': {
    traits: {
      edit: (reply, call) =>
        isList(reply, call) && reply.headers.link === undefined && reply.text !== '[]'
          ? {
              ...reply,
              headers: { ...reply.headers, link: `</v1/pets?limit=20&from=${10_000}>; rel="next"` },
            }
          : reply,
    },
  },
  'a link without the limit': {
    traits: header(isList, 'link', value => value.replace(/&limit=\d+/, '') || undefined),
  },
  'wrong queries are ignored': {
    traits: {
      badQuery: (_, { target }) => ({
        status: 200,
        headers: {},
        text: target.includes('lost') ? '[]' : '[{"id":7,"name":"Pet 0","categoryId":1}]',
      }),
    },
  },
  'a 400 of a list in HTML': {
    traits: edit(isBadQuery, ({ headers }) => ({
      text: html.text,
      headers: { ...headers, ...html.headers },
    })),
  },
  'a 400 of a list with another Error': { traits: edit(isBadQuery, () => ({ text: '{"errors":[]}' })) },
  '422 for a wrong query': { traits: edit(isBadQuery, () => error(422)) },
  '404 for a filter without animals that nobody documents': {
    traits: edit(
      (_, { target }) => target.includes('lost'),
      () => error(404),
    ),
  },
}
