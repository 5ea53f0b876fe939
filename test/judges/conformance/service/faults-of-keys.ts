import { edit, error, type Faults, hasStatus, header, html, isGet, pathOf, without } from './edits.ts'
import { type Call, key, usual } from './traits.ts'

const bearer = ({ headers }: Call) => headers.authorization?.replace(/^bearer /i, '')
const isKeyless = ({ headers }: Call) => headers.authorization === undefined
const open = (where: (call: Call) => boolean) => ({
  isAllowed: (call: Call) => usual.isAllowed(call) || where(call),
})
const is401 = hasStatus(401)

export const faultsOfKeys: Faults = {
  'lists need no key': {
    traits: open(call => pathOf(call) === '/v1/pets' && isKeyless(call) && call.method === 'GET'),
    finds: 'auth-missing: GET /pets → 200: the status is 200, not 401',
  },
  'lists with a query need no key': {
    traits: open(call => /^\/v1\/pets\?/.test(call.target) && isKeyless(call)),
    finds: 'auth-missing: GET /pets?limit=1 → 200: the status is 200, not 401',
  },
  'animals need no key': {
    traits: open(call => pathOf(call).startsWith('/v1/pets/') && isKeyless(call)),
    finds: 'auth-missing: GET /pets/7 → 200: the status is 200, not 401',
  },
  'creating needs no key': {
    traits: open(call => call.method === 'POST' && isKeyless(call)),
    finds: 'auth-missing: POST /pets → 201: the status is 201, not 401',
  },
  'any bearer key is valid': {
    traits: open(call => /^Bearer /.test(call.headers.authorization ?? '')),
    finds: 'auth-invalid: GET /pets → 200: the status is 200, not 401',
  },
  'a key is compared by its beginning': {
    traits: open(call => bearer(call)?.startsWith(key) === true),
    finds: 'auth-invalid: GET /pets → 200: the status is 200, not 401',
  },
  'Basic is taken for Bearer': {
    traits: open(call => /^Basic /.test(call.headers.authorization ?? '')),
    finds: 'auth-invalid: GET /pets → 200: the status is 200, not 401',
  },
  '403 for a missing key': {
    traits: edit(
      (reply, call) => reply.status === 401 && isKeyless(call),
      () => error(403),
    ),
    finds: 'auth-missing: GET /pets → 403: the status is 403, not 401',
  },
  '403 for a wrong key': {
    traits: edit(
      (reply, call) => reply.status === 401 && !isKeyless(call),
      () => error(403),
    ),
    finds: 'auth-invalid: GET /pets → 403: the status is 403, not 401',
  },
  '400 for a missing key': {
    traits: edit(
      (reply, call) => reply.status === 401 && isKeyless(call),
      () => error(400),
    ),
    finds: 'auth-missing: GET /pets → 400: the status is 400, not 401',
  },
  '404 for an animal without a key': {
    traits: edit(
      (reply, call) => reply.status === 401 && isGet(reply, call),
      () => error(404),
    ),
    finds: 'auth-missing: GET /pets/7 → 404: the status is 404, not 401',
  },
  '302 to a login page': {
    traits: edit(is401, () => ({ status: 302, text: '' })),
    finds: 'auth-missing: GET /pets → 302: the status is 302, not 401',
  },
  '401 without a challenge': {
    traits: without(is401, 'www-authenticate'),
    finds: 'auth-challenge: GET /pets → 401: WWW-Authenticate is missing',
  },
  'a challenge of another scheme': {
    traits: header(is401, 'www-authenticate', () => 'Basic realm="pets"'),
    finds: 'auth-scheme: GET /pets → 401: WWW-Authenticate is Basic realm="pets"',
  },
  'the scheme is compared by case': {
    traits: { isAllowed: ({ headers }) => headers.authorization === `Bearer ${key}` },
    finds: 'auth-scheme-case: GET /pets?limit=1 → 401: the status is 401, not 200',
  },
  '401 for an unknown animal': {
    traits: edit(
      (reply, call) => reply.status === 404 && isGet(reply, call),
      () => error(401),
    ),
    finds: 'auth-accepted: GET /pets/none → 401: the status is 401',
  },
  '401 in HTML': {
    traits: edit(is401, ({ headers }) => ({ ...html, headers: { ...headers, ...html.headers } })),
    finds:
      'contract-media-type: GET /pets → 401: The received media type "text/html" does not match the one specified in the current response: application/json',
  },
  '401 with an Error in an envelope': {
    traits: edit(is401, ({ text }) => ({ text: `{"error":${text}}` })),
    finds:
      "contract-body: GET /pets → 401: Response body must have required property 'code'; Response body must have required property 'message'; Response body must h",
  },
  '401 with a number as its code': {
    traits: edit(is401, ({ text }) => ({ text: text.replace('"E401"', '401') })),
    finds: 'contract-body: GET /pets → 401: Response body property code must be string',
  },
  '401 with a text as its status': {
    traits: edit(is401, ({ text }) => ({ text: text.replace(':401}', ':"401"}') })),
    finds: 'contract-body: GET /pets → 401: Response body property status must be integer',
  },
  '401 with another status in its Error': {
    traits: edit(is401, ({ text }) => ({ text: text.replace(':401}', ':403}') })),
    finds: 'error-status: GET /pets → 401: the Error has 403, the response 401',
  },
  'orders need no key': {
    traits: open(call => pathOf(call) === '/v1/store/orders' && isKeyless(call)),
    finds: 'auth-missing: GET /store/orders → 200: the status is 200, not 401',
  },
  '401 of orders that is no Error': {
    traits: edit(
      (reply, call) => is401(reply, call) && pathOf(call) === '/v1/store/orders',
      () => ({ text: '{"error":"unauthorized"}' }),
    ),
    finds:
      "contract-body: GET /store/orders → 401: Response body must have required property 'code'; Response body must have required property 'message'; Response bod",
  },
  'the query is read before the key': {
    traits: edit(
      (reply, call) => is401(reply, call) && call.target.includes('limit=101'),
      () => error(400),
    ),
    finds: 'auth-first: GET /pets?limit=101 → 400: the status is 400, not 401',
    isNote: true,
  },
  '401 without a message': {
    traits: edit(is401, ({ text }) => ({ text: text.replace('"message":"key",', '') })),
    finds: "contract-body: GET /pets → 401: Response body must have required property 'message'",
  },
}
