import { get } from '../calls/request.ts'
import type { Part } from '../run/part.ts'

/** Queries whose answer the specification leaves open. */
export const queries: Part = {
  name: 'invalid queries',
  makes: ['list-limit-refused', 'list-filter-refused', 'page-cursor-refused', 'get-malformed'],
  act: async run => {
    await run.expect(400, get('/pets?limit=101'), 'list-limit-refused')
    await run.expect(400, get('/pets?status=lost'), 'list-filter-refused')
    await run.expect(404, get('/pets/none'), 'get-malformed')
    await run.expect(400, get('/pets?cursor=none'), 'page-cursor-refused')
  },
}

/** Operations that the specification only names, and those of a user's contract. */
export const orders: Part = {
  name: 'other operations',
  makes: ['orders-answer'],
  act: async run => {
    for (const { method, path } of run.options.judge.operations) {
      if (method !== 'GET' || path === '/pets' || path.includes('{')) continue
      if (path === '/store/orders') {
        await run.expect(401, get(path, { key: 'none' }), 'orders-answer')
        await run.expect(200, get(path), 'orders-answer')
      } else await run.call(get(path))
    }
  },
}

/** Unknown paths and methods. */
export const routes: Part = {
  name: 'unknown routes',
  makes: ['route-unknown', 'method-unknown', 'head-as-get'],
  act: async run => {
    const refused = await run.expect(405, { ...get('/pets'), method: 'PATCH' }, 'method-unknown')
    const allow = refused?.headers.allow ?? 'missing'
    refused?.check('method-allow', allow.includes('GET'), `Allow is ${allow}`)
    const head = await run.expect(200, { ...get('/pets?limit=1'), method: 'HEAD' }, 'head-as-get')
    head?.check('head-as-get', head.text === '', 'it has a body')
    await run.expect(404, get('/pet-mock-check'), 'route-unknown')
  },
}
