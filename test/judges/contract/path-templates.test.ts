import { describe, expect, it, onTestFinished } from 'vitest'
import { createJudge } from '../../../src/judges/contract/judge.ts'
import { lateDoors } from '../../support/late-doors.ts'
import { openToys } from '../../support/toys.ts'

const toy = {
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
}

/** Operations that answer with their own id, and those of a collection. */
function describePaths(paths: readonly string[]) {
  const idOf = (path: string) => `get ${path}`
  const operations = paths.map(path => {
    const names = Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, name]) => name)
    const parameters = names.map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
    const content = { 'application/json': { example: { path } } }
    const get = { operationId: idOf(path), parameters, responses: { 200: { description: 'ok', content } } }
    return [path, { get }]
  })
  return { openapi: '3.0.3', info: { title: 'Paths', version: '1' }, paths: Object.fromEntries(operations) }
}

const none = undefined

describe.each([
  {
    paths: ['/', '/toys', '/toys/', '/toys/{id}', '/toys/{id}/'],
    calls: {
      '/': '/',
      '/toys': '/toys',
      '/toys/': '/toys/',
      '/toys/1': '/toys/{id}',
      '/toys/1/': '/toys/{id}/',
      '/toys/1/2': none,
      '/toys//': none,
      '//': none,
    },
  },
  {
    paths: ['/', '/toys/', '/toys/{id}/'],
    calls: { '/toys/': '/toys/', '/toys': none, '/toys/1/': '/toys/{id}/', '/toys/1': none },
  },
  {
    paths: ['/jobs/{id}', '/jobs/{id}:cancel', '/jobs/{id}:{verb}', '/jobs/all:cancel', '/jobs/mine'],
    calls: {
      '/jobs/1': '/jobs/{id}',
      '/jobs/1:cancel': '/jobs/{id}:cancel',
      '/jobs/1:cancelled': '/jobs/{id}:{verb}',
      '/jobs/1:retry': '/jobs/{id}:{verb}',
      '/jobs/all:cancel': '/jobs/all:cancel',
      '/jobs/mine': '/jobs/mine',
      // A parameter is never empty (RFC 6570 would allow it; OpenAPI requires path parameters).
      '/jobs/:cancel': '/jobs/{id}',
      '/jobs/1%3Acancel': '/jobs/{id}:cancel',
    },
  },
  {
    paths: ['/Accounts/{Sid}.json', '/Accounts/{Sid}/Calls/{CallSid}.json', '/Accounts.json'],
    calls: {
      '/Accounts/AC1.json': '/Accounts/{Sid}.json',
      '/Accounts/AC1.jsonp': none,
      '/Accounts/AC1': none,
      '/Accounts/.json': none,
      '/Accounts.json': '/Accounts.json',
      '/AccountsXjson': none,
      '/Accounts/AC1/Calls/CA2.json': '/Accounts/{Sid}/Calls/{CallSid}.json',
    },
  },
  {
    paths: ['/compare/{base}...{head}', '/compare/{basehead}'],
    calls: {
      '/compare/main...topic': '/compare/{base}...{head}',
      '/compare/main..topic': '/compare/{basehead}',
      '/compare/a...b...c': '/compare/{base}...{head}',
    },
  },
  {
    paths: ["/Items('{id}')", '/Items({number})', '/a b/{id}', '/v{version}/+{tag}'],
    calls: {
      "/Items('x')": "/Items('{id}')",
      '/Items(3)': '/Items({number})',
      '/a%20b/1': '/a b/{id}',
      '/v2/+new': '/v{version}/+{tag}',
    },
  },
])('the paths $paths', ({ paths, calls }) => {
  const rows = Object.entries(calls)

  describe.each(lateDoors)('as open areas, %s', (_name, door) => {
    it.each(rows)('%s is answered by %s', async (path, expected) => {
      const opened = await openToys(door, JSON.stringify(describePaths(paths)))
      onTestFinished(opened.close)
      const { status, text } = await opened.call('GET', `/v1${path}`)
      const answer = status === 200 ? JSON.parse(text).path : status
      expect(answer).toBe(expected ?? 404)
    })
  })

  it.each(rows)('the contract judges %s by %s', async (path, expected) => {
    const { judge } = await createJudge(describePaths(paths))
    const texts = { method: 'GET', target: path, requestHeaders: {}, requestBody: undefined }
    const answer = { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' }
    const { operation, breaches } = await judge({ ...texts, ...answer })
    expect(operation).toBe(expected && `get ${expected}`)
    expect(breaches).toEqual([])
  })
})

describe.each(lateDoors)('a collection whose paths end in a slash, %s', (_name, door) => {
  it.each(['/toys/{id}/', '/toys/{id}'])('with records at %s', async single => {
    const [content, schema] = [{ 'application/json': { schema: toy } }, { type: 'array', items: toy }]
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
    const list = { 200: { description: 'Toys', content: { 'application/json': { schema } } } }
    const contract = {
      openapi: '3.0.3',
      info: { title: 'Toys', version: '1' },
      paths: {
        '/toys/': {
          get: { responses: list },
          post: { requestBody: { content }, responses: { 201: { description: 'A toy', content } } },
        },
        [single]: { parameters, get: { responses: { 200: { description: 'A toy', content } } } },
      },
    }
    const opened = await openToys(door, JSON.stringify(contract))
    onTestFinished(opened.close)
    const created = await opened.call('POST', '/v1/toys/', '{"name":"Ball"}')
    expect([created.status, created.text]).toEqual([201, '{"id":1,"name":"Ball"}'])
    const location = single.replace('{id}', '1')
    expect(created.headers.get('location')).toBe(`/v1${location}`)
    expect((await opened.call('GET', `/v1${location}`)).text).toBe('{"id":1,"name":"Ball"}')
    expect((await opened.call('GET', '/v1/toys/')).text).toBe('[{"id":1,"name":"Ball"}]')
    expect((await opened.call('GET', '/v1/toys')).status).toBe(404)
  })
})

describe.each(lateDoors)('the methods of a path, %s', (_name, door) => {
  const one = { responses: { 200: { description: 'ok', content: { 'application/json': { example: {} } } } } }
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
  const contract = {
    openapi: '3.0.3',
    info: { title: 'Paths', version: '1' },
    paths: {
      '/jobs/{id}': { parameters: [id], get: one, delete: one },
      '/jobs/mine': { get: one },
      '/doors': { trace: one, head: one },
    },
  }

  it.each<[line: string, status: number, allow: string | undefined]>([
    ['GET /v1/jobs/1', 200, undefined],
    ['DELETE /v1/jobs/1', 200, undefined],
    ['GET /v1/jobs/mine', 200, undefined],
    // A path without a parameter is one of its own.
    ['DELETE /v1/jobs/mine', 405, 'GET, HEAD, OPTIONS'],
    ['PUT /v1/jobs/1', 405, 'GET, HEAD, DELETE, OPTIONS'],
    // What has the same answer on every path makes no path.
    ['GET /v1/doors', 404, undefined],
  ])('%s gets %i', async (line, status, allow) => {
    const { call, close } = await openToys(door, JSON.stringify(contract))
    onTestFinished(close)
    const [method = '', target = ''] = line.split(' ')
    const reply = await call(method, target)
    expect(reply.status).toBe(status)
    expect(reply.headers.get('allow') ?? undefined).toBe(allow)
  })
})
