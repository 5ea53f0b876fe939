import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { serveJson } from '../../support/run-command.ts'

/** Megabytes. docs/endpoints.md names them. */
const heap = 128

const account = `/2010-04-01/Accounts/AC${'0'.repeat(32)}`
const text = expect.any(String)

type Call = readonly [request: string, body: string | undefined, status: number, answer: unknown]

const stripe: readonly Call[] = [
  [
    'GET /customers',
    undefined,
    200,
    { object: 'list', data: expect.any(Array), has_more: expect.any(Boolean) },
  ],
  ['GET /charges/ch_1', undefined, 200, { object: 'charge', id: text, amount: expect.any(Number) }],
  ['GET /account', undefined, 200, { object: 'account', id: text }],
  ['POST /charges', 'amount=100&currency=eur', 200, { object: 'charge' }],
  [
    'POST /charges',
    'amount=x&currency=eur',
    400,
    { message: expect.stringContaining('amount must be integer') },
  ],
  ['POST /checkout/sessions', 'success_url=/&line_items[0][price]=p', 200, { object: 'checkout.session' }],
  ['DELETE /customers/cus_1', undefined, 200, { object: 'customer', deleted: true }],
]
const kubernetes: readonly Call[] = [
  ['GET /api/v1/namespaces/default/pods', undefined, 200, { items: expect.any(Array) }],
  ['GET /apis/apps/v1/namespaces/default/deployments/a', undefined, 200, { spec: expect.any(Object) }],
  [
    'GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/a',
    undefined,
    200,
    { spec: { group: text, scope: text, versions: expect.any(Array) } },
  ],
  ['POST /api/v1/namespaces', '{"metadata":{"name":"a"}}', 200, { metadata: expect.any(Object) }],
  [
    'POST /api/v1/namespaces',
    '{"metadata":5}',
    400,
    { message: expect.stringContaining('metadata must be') },
  ],
  ['GET /version/', undefined, 200, { gitVersion: text }],
]
const twilio: readonly Call[] = [
  [`GET ${account}/Messages.json`, undefined, 200, { messages: expect.any(Array), page_size: 2 }],
  [`GET ${account}/Messages/SM${'0'.repeat(32)}.json`, undefined, 200, { sid: text, body: text }],
  [`POST ${account}/Messages.json`, 'To=%2B15551234567&Body=Hi', 201, { sid: text, status: text }],
  [`POST ${account}/Messages.json`, 'Body=Hi', 400, { message: expect.stringContaining('To') }],
  [`DELETE ${account}/Messages/SM${'0'.repeat(32)}.json`, undefined, 204, undefined],
]
const github: readonly Call[] = [
  ['GET /repos/o/r/issues', undefined, 200, [{ number: 1347, user: { login: 'octocat' } }]],
  ['GET /repos/o/r/issues/1', undefined, 200, { number: 1347, user: { login: 'octocat' } }],
  ['POST /repos/o/r/issues', '{"title":"a","milestone":null}', 201, { title: text }],
  ['POST /repos/o/r/issues', '{}', 400, { message: expect.stringContaining('title') }],
  ['GET /search/repositories?q=a', undefined, 200, { total_count: 40, items: expect.any(Array) }],
  ['POST /gists', '{"files":{"a":{"content":"b"}}}', 201, { files: { a: { content: 'b' } } }],
  ['GET /gists', undefined, 200, [expect.any(Object), { files: { a: { content: 'b' } } }]],
]

it.each([
  ['stripe', 452, stripe],
  ['kubernetes', 835, kubernetes],
  ['twilio', 197, twilio],
  ['github', 1_223, github],
])(
  `the description of %s starts with %i operations, and answers, within ${heap} MB of heap`,
  async (name, count, calls) => {
    const packed = readFileSync(new URL(`descriptions/${name}.json.gz`, import.meta.url))
    const { ready, stderr, untilTold } = await serveJson(['--openapi', 'a.json'], {
      cwd: directoryWith({ 'a.json': gunzipSync(packed).toString() }),
      env: { NODE_OPTIONS: `--max-old-space-size=${heap}` },
    })
    await untilTold(/contradictions/)
    expect(stderr()).not.toContain('left out')
    expect(stderr().match(/(?:GET|POST|PUT|PATCH|DELETE) \//g)).toHaveLength(count)
    for (const [request, body, status, answer] of calls) {
      const [method = '', target] = request.split(' ')
      const type = body?.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded'
      const reply = await fetch(`${ready.url}${target}`, {
        method,
        headers: {
          authorization: 'Bearer demo-enterprise',
          ...(body !== undefined && { 'content-type': type }),
        },
        ...(body !== undefined && { body }),
      })
      const received = await reply.text()
      const json = received === '' ? undefined : JSON.parse(received)
      expect({ request, status: reply.status, json }).toMatchObject({ request, status, json: answer })
    }
  },
)
