import { edit, error, hasStatus, header, html, isGet, without } from './edits.ts'
import { fixedWindows } from './limiters.ts'
import { type Reply, usual } from './traits.ts'
import type { Variation, Variations } from './variation.ts'

const always = () => true
const orders = (reply: Partial<Reply>): Variation => ({ traits: { orders: { ...usual.orders, ...reply } } })
const sunset = (date: string): Variation => ({ traits: { ofPet: { sunset: date } } })
const plain = { 'content-type': 'text/plain' }

export const ofHeaders: Variations = {
  'Sunset at noon': sunset('Thu, 05 Dec 2030 12:00:00 GMT'),
  'Sunset at the end of the day': sunset('Thu, 05 Dec 2030 23:59:59 GMT'),
  'Sunset at midnight in Berlin': sunset('Wed, 04 Dec 2030 23:00:00 GMT'),
  'Sunset at midnight in Los Angeles': sunset('Thu, 05 Dec 2030 08:00:00 GMT'),
  'no Sunset and no links': { traits: { ofPet: {} } },
  'Deprecation: true': { traits: { ofPet: { deprecation: 'true' } } },
  'Deprecation with a date': { traits: { ofPet: { deprecation: 'Mon, 01 Jan 2024 00:00:00 GMT' } } },
  'charset=utf-8': { traits: header(always, 'content-type', () => 'application/json; charset=utf-8') },
  'application/json in capitals': {
    traits: header(always, 'content-type', () => 'Application/JSON;charset="UTF-8"'),
  },
  'no Date': { traits: without(always, 'date') },
  'a clock that is an hour late': {
    traits: {
      limiter: quota => {
        const inner = fixedWindows(quota)
        const late = (standing: ReturnType<typeof inner.look>) => ({
          ...standing,
          resetAt: standing.resetAt - 3_600_000,
        })
        return { look: at => late(inner.look(at)), take: (at, n) => late(inner.take(at, n)) }
      },
      ...header(always, 'date', (_, { at }) => new Date(at - 3_600_000).toUTCString()),
    },
  },
  'no Location': { traits: { created: () => ({}) } },
  'an absolute Location': {
    traits: { created: ({ id }) => ({ location: `https://api.example/v1/pets/${String(id)}` }) },
  },
  'a Location of its own': { traits: { created: ({ id }) => ({ location: `/animals/A-${String(id)}` }) } },
  'Errors with more fields': {
    traits: edit(
      ({ status }) => status >= 400,
      ({ text }) => ({ text: text.replace('}', ',"trace":"x","details":[{"field":"a"}]}') }),
    ),
  },
  'caching and security headers': {
    traits: edit(always, ({ headers }) => ({
      headers: {
        ...headers,
        etag: '"1"',
        vary: 'Authorization',
        'cache-control': 'private, max-age=0',
        'strict-transport-security': 'max-age=1',
      },
    })),
  },
  'orders in an object': orders({ text: '{"orders":[],"total":0}' }),
  'orders in HTML': orders(html),
  '403 on orders': orders(error(403)),
  '404 on orders': orders({ ...error(404), headers: plain, text: 'no' }),
  'no orders, with a key and without': {
    traits: edit(
      (_, { target }) => target.includes('orders'),
      () => error(404),
    ),
  },
  'a read-only key': {
    traits: edit(
      (reply, { method }) => method === 'POST' && reply.status !== 401,
      () => error(403),
    ),
  },
  '501 on orders': orders({ status: 501, text: '' }),
  '503 on orders': orders({ status: 503, text: 'later', headers: plain }),
  'unknown routes in HTML, without limits': {
    traits: {
      hasLimits: ({ target }) => /\/v1\/(?:pets|store)/.test(target),
      ...edit(
        (reply, { target }) => reply.status === 404 && !target.includes('/pets/'),
        ({ headers }) => ({ text: html.text, headers: { ...headers, ...html.headers } }),
      ),
    },
  },
  '404 for other methods': { traits: edit(hasStatus(405), () => error(404)) },
  '501 for other methods': { traits: edit(hasStatus(405), () => ({ ...error(501), text: '' })) },
  '405 for HEAD': { traits: { head: () => ({ status: 405, headers: { allow: 'GET, POST' }, text: '' }) } },
  '400 for a malformed id': {
    traits: edit(
      (_, { target }) => /pets\/(?!-?\d+$)/.test(target),
      () => error(400),
    ),
  },
  '415 for a body as text, 422 for a broken one': {
    traits: edit(
      (_, { headers, body = '' }) => headers['content-type'] === 'text/plain' || body === '{"name":',
      (_, { headers }) => error(headers['content-type'] === 'text/plain' ? 415 : 422),
    ),
  },
  'a challenge of two schemes': {
    traits: header(
      hasStatus(401),
      'www-authenticate',
      () => 'Basic realm="x", bearer realm="pets", error="invalid_token"',
    ),
  },
  'one 503 under load': {
    traits: () => {
      let calls = 0
      return edit(always, ({ headers }) => {
        calls += 1
        return calls === 23 ? { status: 503, text: '', headers: { ...headers, 'retry-after': '1' } } : {}
      })
    },
  },
  'getPet is removed, 404': {
    traits: { isGone: () => true },
    as: { start: Date.UTC(2030, 11, 5, 10), exhausts: true },
  },
  'getPet is removed, 410': {
    traits: {
      isGone: () => true,
      ...edit(
        (reply, call) => isGet(reply, call) && reply.status === 404,
        () => error(410),
      ),
    },
    as: { start: Date.UTC(2031, 0, 5, 10), exhausts: true },
  },
  'getPet is kept after its removal': { traits: {}, as: { start: Date.UTC(2031, 0, 5, 10) } },
}
