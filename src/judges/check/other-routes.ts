import type { Part } from './check-run.ts'
import { get } from './request.ts'

/** Operations that the specification only names, and unknown paths and methods. */
export const routes: Part = {
  name: 'routes',
  act: async run => {
    for (const { method, path } of run.options.judge.operations) {
      if (method !== 'GET' || path === '/pets' || path.includes('{')) continue
      if (path === '/store/orders') await run.expect(200, get(path), 'orders-answer')
      else await run.call(get(path))
    }
    await run.expect(404, get('/pet-mock-check'), 'route-unknown')
    const refused = await run.expect(405, { ...get('/pets'), method: 'PATCH' }, 'method-unknown')
    const allow = refused?.headers.allow ?? 'missing'
    refused?.check('method-allow', allow.includes('GET'), `Allow is ${allow}`)
    const head = await run.expect(200, { ...get('/pets?limit=1'), method: 'HEAD' }, 'head-as-get')
    head?.check('head-as-get', head.text === '', 'it has a body')
  },
}
