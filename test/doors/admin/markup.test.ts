import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { openAdminServer } from '../../support/admin-server.ts'

const markup = '<img src=x onerror=alert(1)>'
const closing = '</script><script>alert(1)</script>'

test('a name, a path and a header full of markup are text in every answer, and no answer is a page', async () => {
  const { ask, call } = await openAdminServer()
  const json = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ name: markup, categoryId: 1 })
  expect((await call('/v1/pets', 'demo-free', { method: 'POST', headers: json, body })).status).toBe(201)
  const path = `/v1/pets/${encodeURIComponent(markup)}?x=${encodeURIComponent(closing)}`
  expect((await call(path, 'demo-free', { headers: { 'X-Shop': closing } })).status).toBe(404)
  await ask('/keys', { key: 'shop', plan: 'free' })
  await ask('/rules', { name: markup, then: { delay: '1ms' } })
  await ask('/scenario?sandbox=other', {}, 'PUT')
  for (const route of [
    '/requests',
    '/requests?view=rows',
    '/requests/2',
    '/requests.har',
    '/conduct?flights=true',
    '/pets?name=%3Cimg',
    '/rules',
    '/keys',
    '/snapshot',
    '/situation.yaml',
    `/scenarios/${encodeURIComponent(markup)}`,
    `/${encodeURIComponent(markup)}`,
    `/assets/${encodeURIComponent(markup)}`,
  ]) {
    const { headers, text } = await ask(route)
    expect([route, headers['content-type'], headers['x-content-type-options']]).toEqual([
      route,
      route === '/situation.yaml' ? 'application/yaml' : 'application/json',
      'nosniff',
    ])
    expect(() => (route === '/situation.yaml' ? parse(text) : JSON.parse(text))).not.toThrow()
  }
  const { requests } = (await ask('/requests')).json
  expect(requests.at(-1).request.headers['x-shop']).toBe(closing)
  expect(JSON.parse(requests.at(-2).request.body).name).toBe(markup)
  expect((await ask('/pets?name=%3Cimg')).json.pets[0].name).toBe(markup)
  const file = parse((await ask('/situation.yaml')).text)
  expect([file.pets.add[0].name, file.rules[0].name]).toEqual([markup, markup])
})
