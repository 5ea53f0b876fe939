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
    finds: 'auth-missing',
  },
  'animals need no key': {
    traits: open(call => pathOf(call).startsWith('/v1/pets/') && isKeyless(call)),
    finds: 'auth-missing',
  },
  'creating needs no key': {
    traits: open(call => call.method === 'POST' && isKeyless(call)),
    finds: 'auth-missing',
  },
  'any bearer key is valid': {
    traits: open(call => /^Bearer /.test(call.headers.authorization ?? '')),
    finds: 'auth-invalid',
  },
  'a key is compared by its beginning': {
    traits: open(call => bearer(call)?.startsWith(key) === true),
    finds: 'auth-invalid',
  },
  'Basic is taken for Bearer': {
    traits: open(call => /^Basic /.test(call.headers.authorization ?? '')),
    finds: 'auth-invalid',
  },
  '403 for a missing key': {
    traits: edit(
      (reply, call) => reply.status === 401 && isKeyless(call),
      () => error(403),
    ),
    finds: 'auth-missing',
  },
  '403 for a wrong key': {
    traits: edit(
      (reply, call) => reply.status === 401 && !isKeyless(call),
      () => error(403),
    ),
    finds: 'auth-invalid',
  },
  '400 for a missing key': {
    traits: edit(
      (reply, call) => reply.status === 401 && isKeyless(call),
      () => error(400),
    ),
    finds: 'auth-missing',
  },
  '404 for an animal without a key': {
    traits: edit(
      (reply, call) => reply.status === 401 && isGet(reply, call),
      () => error(404),
    ),
    finds: 'auth-missing',
  },
  '302 to a login page': { traits: edit(is401, () => ({ status: 302, text: '' })), finds: 'auth-missing' },
  '401 without a challenge': { traits: without(is401, 'www-authenticate'), finds: 'auth-challenge' },
  'a challenge of another scheme': {
    traits: header(is401, 'www-authenticate', () => 'Basic realm="pets"'),
    finds: 'auth-scheme',
  },
  'the scheme is compared by case': {
    traits: { isAllowed: ({ headers }) => headers.authorization === `Bearer ${key}` },
    finds: 'auth-scheme-case',
  },
  '401 for an unknown animal': {
    traits: edit(
      (reply, call) => reply.status === 404 && isGet(reply, call),
      () => error(401),
    ),
    finds: 'auth-accepted',
  },
  '401 in HTML': {
    traits: edit(is401, ({ headers }) => ({ ...html, headers: { ...headers, ...html.headers } })),
    finds: 'contract-media-type',
  },
  '401 with an Error in an envelope': {
    traits: edit(is401, ({ text }) => ({ text: `{"error":${text}}` })),
    finds: 'contract-body',
  },
  '401 with a number as its code': {
    traits: edit(is401, ({ text }) => ({ text: text.replace('"E401"', '401') })),
    finds: 'contract-body',
  },
  '401 with a text as its status': {
    traits: edit(is401, ({ text }) => ({ text: text.replace(':401}', ':"401"}') })),
    finds: 'contract-body',
  },
  '401 with another status in its Error': {
    traits: edit(is401, ({ text }) => ({ text: text.replace(':401}', ':403}') })),
    finds: 'error-status',
  },
  '401 without a message': {
    traits: edit(is401, ({ text }) => ({ text: text.replace('"message":"key",', '') })),
    finds: 'contract-body',
  },
}
