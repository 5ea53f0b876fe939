import type { CheckRun, Part } from './check-run.ts'
import { type CheckRequest, get } from './request.ts'

/** Calls without a valid key. A service refuses them first, so they create nothing. */
export const authentication: Part = {
  name: 'authentication',
  act: async run => {
    for (const request of requestsOf(run)) await run.expect(401, { ...request, key: 'none' }, 'auth-missing')
    for (const authorization of ['Bearer pet-mock-check-invalid-key', 'Basic cGV0OnBldA=='])
      await run.expect(401, get('/pets', { key: { authorization } }), 'auth-invalid')
    await run.expect(200, get('/pets?limit=1', { key: 'valid, in lower case' }), 'auth-scheme-case')
  },
}

/** A request for each operation of the contract. */
function requestsOf({ options: { judge, allowsWrites } }: CheckRun): readonly CheckRequest[] {
  return judge.operations
    .filter(({ method }) => method === 'GET' || (allowsWrites && method === 'POST'))
    .map(({ method, path }) => ({
      ...get(path.replaceAll(/\{[^}]*\}/g, '1')),
      method,
      ...(method !== 'GET' && { body: '{}', headers: { 'Content-Type': 'application/json' } }),
    }))
}
