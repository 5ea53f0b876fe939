import { type CheckRequest, get } from './request.ts'
import { expectStatus, type Part, type Run } from './run-parts.ts'

/** No key of anybody's: it says so. */
const invalid = { authorization: 'Bearer pet-mock-check-invalid-key' }

/** Calls without a valid key. They are refused before anything else is looked at, so that none of them writes. */
export const authentication: Part = {
  name: 'authentication',
  act: async run => {
    for (const request of requestsOf(run)) {
      await expectStatus(run, { ...request, key: 'none' }, 'auth-missing', 401)
    }
    await expectStatus(run, get('/pets', { key: invalid }), 'auth-invalid', 401)
    await expectStatus(
      run,
      get('/pets', { key: { authorization: 'Basic cGV0OnBldA==' } }),
      'auth-invalid',
      401,
    )
    await expectStatus(run, get('/pets?limit=1', { key: 'valid, in lower case' }), 'auth-scheme-case', 200)
  },
}

/** A call of each operation, as far as it can be made without knowing more than the contract. */
function requestsOf({ operations, allowsWrites }: Run): readonly CheckRequest[] {
  return operations
    .filter(({ method }) => method === 'GET' || (allowsWrites && method === 'POST'))
    .map(({ method, path }) => ({
      ...get(path.replaceAll(/\{[^}]*\}/g, '1')),
      method,
      ...(method !== 'GET' && { body: '{}', headers: { 'Content-Type': 'application/json' } }),
    }))
}
