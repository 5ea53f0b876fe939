import fc from 'fast-check'
import { expect } from 'vitest'
import { describePlane } from '../../../src/doors/admin/description/openapi.ts'
import { routeGroups, routes } from '../../../src/doors/admin/routes/routes.ts'
import { oneOf } from '../../../tools/fuzz/grammar/any-request.ts'
import { sendOverHttp } from '../../support/doors.ts'
import { serverTest as test } from '../../support/raw-http.ts'
import { scenarioOf } from '../../support/scenarios.ts'

/** These answer when something happens, or never end: they have tests of their own. */
const lasting = ['/requests/wait', '/events']

const path = fc.oneof(
  oneOf(...routes.map(route => route.path).filter(path => !lasting.includes(path))),
  oneOf(
    '',
    '/',
    '/clock/',
    '/keys/%',
    '/keys/%2F/ban',
    '/pets/-0',
    '/pets/9223372036854775808',
    '/rules/__proto__',
  ),
)
const query = fc.oneof(
  oneOf(
    '',
    '?',
    '?sandbox=a',
    '?sandbox=*',
    '?sandbox=',
    '?sandbox=%zz',
    '?limit=1e3',
    '?__proto__=1',
    '?after=-1',
  ),
)
const fields = fc.dictionary(
  oneOf(
    'key',
    'plan',
    'by',
    'to',
    'at',
    'scale',
    'name',
    'categoryId',
    'id',
    'scenario',
    'for',
    'used',
    '__proto__',
    'then',
  ),
  fc.oneof(
    fc.constantFrom<unknown>('demo-free', 'free', '60s', 'ban', '', -1, 0, 2 ** 60, null, true),
    fc.object(),
    fc.string(),
  ),
)
const body: fc.Arbitrary<unknown> = fc.option(fc.oneof(fields, fc.jsonValue()), { nil: undefined })

const description = describePlane(routeGroups, '1.2.3')

test('whatever is sent to the admin plane has an answer', async ({ open }) => {
  const { host } = await open({ scenario: scenarioOf({ pets: { count: 3 } }) })
  await fc.assert(
    fc.asyncProperty(
      oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'LINK'),
      path,
      query,
      body,
      async (method, path, query, body) => {
        const reply = await sendOverHttp(host, {
          method,
          target: `/__admin${path}${query}`,
          headers: [['Content-Type', 'application/json']],
          body: body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body)),
        })
        expect(reply.status).toBeLessThan(500)
        if (reply.status < 400 || method === 'HEAD') return
        const problem = JSON.parse(reply.text)
        expect(problem).toEqual({
          code: expect.any(String),
          message: expect.any(String),
          status: reply.status,
        })
        // What a route may answer is described with it.
        const described = description.paths[path]?.[method.toLowerCase()]?.responses
        if (described !== undefined)
          expect(described[reply.status]).toMatchObject({
            description: expect.stringContaining(`\`${problem.code}\``),
          })
      },
    ),
    { numRuns: 500 },
  )
})
