import { get } from './request.ts'
import { expectStatus, type Part } from './run-parts.ts'

/** Operations of which the specification shows no more than that they are there, and paths that are not. */
export const routes: Part = {
  name: 'routes',
  act: async run => {
    const { service, ledger, operations } = run
    for (const { method, path } of operations) {
      if (method !== 'GET' || path === '/pets' || path.includes('{')) continue
      if (path === '/store/orders') await expectStatus(run, get(path), 'orders-answer', 200)
      else await service.call(get(path))
    }
    await expectStatus(run, get('/pet-mock-check'), 'route-unknown', 404)
    const refused = await expectStatus(run, { ...get('/pets'), method: 'PATCH' }, 'method-unknown', 405)
    if (refused !== undefined) {
      const { allow } = refused.headers
      ledger.expect('method-allow', refused, !allow?.includes('GET') && `Allow is ${allow ?? 'missing'}`)
    }
    const head = await expectStatus(run, { ...get('/pets?limit=1'), method: 'HEAD' }, 'head-as-get', 200)
    if (head !== undefined) ledger.expect('head-as-get', head, head.text !== '' && 'it has a body')
  },
}
