import { expect, test } from 'vitest'
import { openAdminServer } from '../../support/admin-server.ts'

const scenario = { keys: { 'sk-live-42': { plan: 'pro' }, k1: { plan: 'free' } } }

/** A call, the key as it is shown, and what of it must be nowhere. */
const rows: readonly (readonly [
  name: string,
  target: string,
  headers: Record<string, string>,
  shown: string | null,
])[] = [
  ['the bearer token', '/v1/pets', { Authorization: 'Bearer sk-live-42' }, 'sk-liv…'],
  ['in a sandbox', '/v1/pets', { Authorization: 'Bearer sk-live-42+w1' }, 'sk-liv…+w1'],
  ['a key that is not known', '/v1/pets', { Authorization: 'Bearer sk-live-4242' }, null],
  ['another scheme', '/v1/pets', { Authorization: 'Basic sk-live-42' }, null],
  ['no scheme', '/v1/pets', { Authorization: 'sk-live-42' }, null],
  ['a header of another name', '/v1/pets', { 'X-Api-Key': 'sk-live-42' }, null],
  ['any header that is a key', '/v1/pets', { 'X-Whatever': 'sk-live-42' }, null],
  [
    'in the query',
    '/v1/pets?limit=1&api_key=sk-live-42&x=1',
    { Authorization: 'Bearer demo-free' },
    'demo-f…',
  ],
  [
    'in the query, encoded',
    '/v1/pets?limit=1&api_key=sk%2Dlive-42%2Bw1',
    { Authorization: 'Bearer demo-free' },
    'demo-f…',
  ],
  [
    'in the query, by any name',
    '/v1/pets?limit=1&q=sk-live-42',
    { Authorization: 'Bearer demo-free' },
    'demo-f…',
  ],
  [
    'in the query, not known',
    '/v1/pets?limit=1&access_token=sk-live-4242',
    { Authorization: 'Bearer demo-free' },
    'demo-f…',
  ],
  ['in a path outside the API', '/sk-live-42/pets', { Authorization: 'Bearer sk-live-42' }, 'sk-liv…'],
  ['in a path, beside another key', '/v1/sk-live-42/pets', { Authorization: 'Bearer demo-free' }, 'demo-f…'],
  ['a short one', '/v1/pets?limit=1&key=k1', { Authorization: 'Bearer k1' }, 'k…'],
]

test.for(rows)('%s', async ([, target, headers, shown]) => {
  const { origin, ask } = await openAdminServer(scenario)
  await fetch(origin + target, { headers })
  const sandbox = headers.Authorization?.endsWith('+w1') ? '&sandbox=w1' : ''
  for (const path of ['/requests?', '/requests/1?', '/requests.har?']) {
    const { text } = await ask(path + sandbox)
    expect(text).not.toMatch(/live-42|live-4|ive-42|Bearer k1|key=k1/)
    expect(text).toContain('…')
    const open = (await ask(`${path}keys=shown${sandbox}`)).text
    const authorization = headers.Authorization ?? 'sk-live-42'
    expect(open).toContain(authorization)
    expect(open).not.toContain('…')
  }
  const [found] = (await ask(`/requests?${sandbox}`)).json.requests
  expect(found.key).toBe(shown)
  expect(found.path).not.toContain('live-42')
  if (target.includes('limit=1')) expect(found.target).toContain('limit=1')
})

test('other texts stay unchanged', async () => {
  const { origin, ask } = await openAdminServer(scenario)
  const target = '/v1/pets?limit=1&status=sold&k1=2&x=k12'
  await fetch(origin + target, { headers: { Authorization: 'Bearer k1', Accept: 'k1-json' } })
  const [found] = (await ask('/requests')).json.requests
  expect(found).toMatchObject({
    target,
    request: { headers: { accept: 'k1-json', authorization: 'Bearer k…' } },
  })
})
