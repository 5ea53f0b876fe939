import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { restoreWorld } from '../../../src/control/snapshot/restore.ts'
import type { EmulatorOptions } from '../../../src/emulator/emulator.ts'
import { lateDoors } from '../../support/late-doors.ts'
import { scenarioOf } from '../../support/scenarios.ts'
import { takeSnapshot } from '../../support/snapshots.ts'
import { openToys, toys } from '../../support/toys.ts'

afterEach(() => {
  vi.useRealTimers()
})

const ball = '{"id":7,"name":"Ball","color":"blue","madeAt":"2026-01-01T00:00:00Z","tags":["round","small"]}'
const bone = '{"id":9223372036854775807,"name":"Bone","color":"red","madeAt":"2026-01-01T00:00:00Z"}'
const madeAt = '2026-03-02T12:00:00.250Z'

describe.each(lateDoors)('an open area, %s', (_name, door) => {
  const open = async (text?: string, options?: Partial<EmulatorOptions>) => {
    const opened = await openToys(door, text, options)
    onTestFinished(opened.close)
    return opened
  }

  describe('as a collection', () => {
    it('starts with the example of its list, with exact int64s, and marks its responses', async () => {
      const { call } = await open()
      const { status, headers, text } = await call('GET', '/v1/toys')
      expect({ status, text }).toEqual({ status: 200, text: `[${ball},${bone}]` })
      expect(headers.get('x-pet-mock')).toBe('openapi collection')
      expect((await call('HEAD', '/v1/toys')).headers.get('content-length')).toBe(`${text.length}`)
    })

    it('creates a record with an id and the defaults of the contract, and finds it again', async () => {
      const { call } = await open()
      const sent = '{"name":"Rope","makerId":9007199254740993,"secret":"x","id":7}'
      const made = await call('POST', '/v1/toys', sent)
      const rope = `{"id":8,"name":"Rope","makerId":9007199254740993,"color":"red","madeAt":"${madeAt}"}`
      expect(made).toMatchObject({ status: 201, text: rope })
      expect(made.headers.get('location')).toBe('/v1/toys/8')
      expect(await call('GET', '/v1/toys/8')).toMatchObject({ status: 200, text: rope })
      expect(await call('GET', '/v1/toys/9223372036854775807')).toMatchObject({ status: 200, text: bone })
      expect(await call('GET', '/v1/toys?limit=50')).toMatchObject({ text: `[${ball},${bone},${rope}]` })
    })

    it.each([
      ['limit=1', [ball]],
      ['color=red', [bone]],
      ['tags=small', [ball]],
      ['tags=large', []],
      ['makerId=9007199254740993', []],
      ['color=red&makerId=1', []],
      ['sort=name', [ball, bone]],
      ['unknown=1', [ball, bone]],
    ])('lists by ?%s', async (query, records) => {
      const { call } = await open()
      expect(await call('GET', `/v1/toys?${query}`)).toMatchObject({
        status: 200,
        text: `[${records.join(',')}]`,
      })
    })

    it('lists as many records as the default of limit', async () => {
      const { call } = await open()
      for (const name of ['A', 'B', 'C']) await call('POST', '/v1/toys', JSON.stringify({ name }))
      expect(JSON.parse((await call('GET', '/v1/toys')).text)).toHaveLength(3)
      expect(JSON.parse((await call('GET', '/v1/toys?limit=50')).text)).toHaveLength(5)
    })

    it('replaces, changes and removes a record', async () => {
      const { call } = await open()
      const replaced = `{"id":7,"name":"Cube","color":"red","madeAt":"${madeAt}"}`
      expect(await call('PUT', '/v1/toys/7', '{"name":"Cube"}')).toMatchObject({
        status: 200,
        text: replaced,
      })
      const changed = replaced.replace('red', 'blue')
      expect(await call('PATCH', '/v1/toys/7', '{"color":"blue","id":9}')).toMatchObject({ text: changed })
      expect(await call('GET', '/v1/toys')).toMatchObject({ text: `[${changed},${bone}]` })
      expect(await call('DELETE', '/v1/toys/7')).toMatchObject({ status: 204, text: '' })
      expect(await call('GET', '/v1/toys/7')).toMatchObject({ status: 404 })
      expect(await call('GET', '/v1/toys')).toMatchObject({ text: `[${bone}]` })
    })

    it.each([
      ['POST', '/v1/toys', '{}', 400, 'invalid_body', "Request body must have required property 'name'."],
      [
        'POST',
        '/v1/toys',
        '{"name":"","color":"green"}',
        400,
        'invalid_body',
        'Request body property name must NOT have fewer than 1 characters; Request body property color must be equal to one of the allowed values: red, blue.',
      ],
      ['POST', '/v1/toys', '{"name":"A","makerId":1.5}', 400, 'invalid_body', /makerId must be integer/],
      [
        'POST',
        '/v1/toys',
        '{"name":"A","makerId":9223372036854775808}',
        400,
        'invalid_body',
        /makerId must be an int64/,
      ],
      ['POST', '/v1/toys', '{"name":', 400, 'invalid_json', /^The body is not valid JSON: /],
      ['POST', '/v1/toys', '[]', 400, 'invalid_body', /Request body must be object/],
      ['PUT', '/v1/toys/7', '{}', 400, 'invalid_body', /required property 'name'/],
      ['POST', '/v1/%74oys', '{}', 400, 'invalid_body', /required property 'name'/],
      ['GET', '/v1/toys?limit=0', undefined, 400, 'invalid_parameter', /limit must be >= 1/],
      ['GET', '/v1/toys?color=green', undefined, 400, 'invalid_parameter', /allowed values: red, blue/],
      ['GET', '/v1/toys/8', undefined, 404, 'not_found', /no record has the id "8"/],
      ['DELETE', '/v1/toys/8', undefined, 404, 'not_found', /no record has the id "8"/],
      ['GET', '/v1/toys/ball', undefined, 404, 'not_found', /no record has the id "ball"/],
      [
        'DELETE',
        '/v1/toys',
        undefined,
        405,
        'method_not_allowed',
        /does not support DELETE\. Use GET, HEAD, POST, OPTIONS\.$/,
      ],
      ['GET', '/v1/toys/', undefined, 404, 'route_not_found', /Remove the slash at the end: \/v1\/toys\./],
      [
        'GET',
        '/v1/tois',
        undefined,
        404,
        'route_not_found',
        /The API has \/v1\/pets, .*\/v1\/toys\/\{toyId\}/,
      ],
    ])('%s %s %s is %i %s', async (method, target, body, status, code, message) => {
      const { call } = await open()
      const reply = await call(method, target, body)
      expect(reply.status).toBe(status)
      const error = JSON.parse(reply.text)
      expect(error).toEqual({ code, message: error.message, status })
      expect(error.message).toMatch(message)
      expect(reply.headers.get('x-ratelimit-remaining')).toBe('299')
    })

    it('rejects a body that is not labelled as JSON', async () => {
      const { call } = await open()
      const reply = await call('POST', '/v1/toys', '{"name":"A"}', { 'Content-Type': 'text/plain' })
      expect(JSON.parse(reply.text)).toMatchObject({ code: 'unsupported_media_type', status: 400 })
    })

    it('gives every record its own id, in parallel calls, too', async () => {
      const { call } = await open()
      const made = await Promise.all(
        Array.from({ length: 20 }, () => call('POST', '/v1/toys', '{"name":"A"}')),
      )
      const ids = made.map(({ text }) => JSON.parse(text).id)
      expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 8))
    })

    it('serves the orders if the contract can create some', async () => {
      const order =
        'type: object, properties: { id: { type: integer, format: int64 }, petId: { type: integer } }'
      const media = (schema: string) => `content: { application/json: { schema: { ${schema} } } }`
      const { call } = await open(`openapi: 3.1.0
info: { title: Orders, version: "1" }
paths:
  /v1/store/orders:
    get: { responses: { "200": { description: a, ${media(`type: array, items: { ${order} }`)} } } }
    post: { requestBody: { ${media(order)} }, responses: { "201": { description: a, ${media(order)} } } }
`)
      expect(await call('POST', '/v1/store/orders', '{"petId":1}')).toMatchObject({
        text: '{"id":5,"petId":1}',
      })
      const all = (await call('GET', '/v1/store/orders')).text
      expect(all).toContain('9223372036854775807')
      expect(JSON.parse(all)).toHaveLength(6)
    })
  })

  describe('from examples and schemas', () => {
    it.each([
      ['/v1/motto', 'text/plain', 'Adopt!'],
      ['/v1/numbers', 'application/json', '{"largest":9223372036854775807}'],
      ['/v1/pets/search', 'application/json', '[]'],
    ])('GET %s is its example', async (target, type, text) => {
      const { call } = await open()
      const reply = await call('GET', target)
      expect(reply).toMatchObject({ status: 200, text })
      expect(reply.headers.get('content-type')).toBe(type)
      expect(reply.headers.get('x-pet-mock')).toBe('openapi mocker')
    })

    it('answers with only a status if no body can be generated', async () => {
      const text = toys.replace(
        '/motto:',
        '/nothing:\n    get: { responses: { "203": {} } }\n  /none:\n    get: { responses: { "200": { description: a, content: { application/json: { schema: { type: integer, minimum: 3, maximum: 1 } } } } } }\n  /motto:',
      )
      const { call } = await open(text)
      expect(await call('GET', '/v1/nothing')).toMatchObject({ status: 200, text: '' })
      expect(await call('GET', '/v1/none')).toMatchObject({ status: 200, text: 'null' })
    })

    it('generates a body without an example: equal seeds and calls get equal bodies, at any time', async () => {
      const weather = async (seed: number, query: string, now: number) => {
        vi.useFakeTimers({ now, toFake: ['Date'] })
        const { call } = await open(toys, { scenario: scenarioOf({ seed }) })
        return (await call('GET', `/v1/weather${query}`)).text
      }
      const first = await weather(1, '', 0)
      expect(JSON.parse(first)).toEqual({
        city: 'Bonn',
        wind: expect.stringMatching(/^[NSEW]{1,2}$/),
        degrees: expect.any(Number),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        station: expect.any(String),
      })
      expect(await weather(1, '', 2e12)).toBe(first)
      expect(await weather(2, '', 0)).not.toBe(first)
      expect(await weather(1, '?days=1', 0)).not.toBe(first)
    })

    it('sends the headers of the contract, and the rate limit headers', async () => {
      const { call } = await open()
      const { headers } = await call('GET', '/v1/weather')
      expect(headers.get('x-station')).toBe('Berlin')
      expect(headers.get('x-ratelimit-limit')).toBe('300')
    })

    it('adds a method to a path of the service, also after getPet is removed', async () => {
      const { call } = await open(toys, {
        scenario: scenarioOf({ clock: { at: '2031-01-01T00:00:00Z', frozen: true } }),
      })
      expect(await call('GET', '/v1/pets/1')).toMatchObject({ status: 404 })
      expect(await call('PUT', '/v1/pets/1', '{"name":"A"}')).toMatchObject({ status: 202, text: '' })
      expect(await call('PUT', '/v1/pets/1', '{}')).toMatchObject({ status: 400 })
      expect(await call('PUT', '/v1/pets/x', '{"name":"A"}')).toMatchObject({ status: 400 })
    })
  })

  describe('passes the gates of every call', () => {
    it('key, limit, ban', async () => {
      const scenario = scenarioOf({
        bans: { after: 2 },
        keys: { 'demo-pro': { plan: 'pro', used: { minute: 299 } } },
      })
      const { call } = await open(toys, { scenario })
      const none = await call('GET', '/v1/toys', undefined, { Authorization: 'Basic x' })
      expect(none).toMatchObject({ status: 401 })
      expect(none.headers.get('www-authenticate')).toBe('Bearer realm="pet-api"')
      const last = await call('GET', '/v1/toys')
      expect([last.status, last.headers.get('x-ratelimit-remaining')]).toEqual([200, '0'])
      const refused = await call('POST', '/v1/toys', '{"name":"A"}')
      expect(JSON.parse(refused.text)).toMatchObject({ code: 'rate_limit_exceeded' })
      expect(JSON.parse((await call('GET', '/v1/weather')).text)).toMatchObject({ code: 'api_key_banned' })
    })

    it('rules, Prefer, journal, metrics', async () => {
      const rules = [
        { name: 'toys fail once', match: { path: '/v1/toys' }, when: { first: 1 }, then: { status: 503 } },
      ]
      const { call, emulator } = await open(toys, { scenario: scenarioOf({ rules }) })
      const failed = await call('GET', '/v1/toys')
      expect([failed.status, failed.headers.get('x-pet-mock')]).toEqual([503, 'toys fail once'])
      expect(await call('GET', '/v1/toys', undefined, { Prefer: 'code=500' })).toMatchObject({ status: 500 })
      await call('GET', '/v1/weather')
      const told = Array.from(emulator.sandboxes.default.journal, ({ trace }) => [
        trace.gate,
        trace.operation,
        trace.area,
        trace.stability,
      ])
      expect(told).toEqual([
        ['rule', undefined, undefined, undefined],
        ['prefer', undefined, undefined, undefined],
        ['operation', undefined, { operation: 'getWeather', source: 'mocker' }, 'beta'],
      ])
      expect(Array.from(emulator.metrics.calls, ({ operation }) => operation)).toContain('getWeather')
    })

    it.each([
      ['example=one', '[{"id":1}]', 'example=one', 'openapi mocker'],
      ['code=200, example=one, delay=1', '[{"id":1}]', 'code=200, example=one, delay=1', 'openapi mocker'],
      ['example=two', '[]', null, 'openapi mocker; prefer unmet: example=two'],
      // getPet has one of this name, and this path is not its.
      ['example=pet', '[]', null, 'openapi mocker; prefer unmet: example=pet'],
    ])('Prefer: %s', async (asked, text, applied, mark) => {
      const { call } = await open()
      const reply = await call('GET', '/v1/pets/search', undefined, { Prefer: asked })
      expect(reply).toMatchObject({ status: 200, text })
      expect([reply.headers.get('preference-applied'), reply.headers.get('x-pet-mock')]).toEqual([
        applied,
        mark,
      ])
    })

    it('injects errors of its own path', async () => {
      const { call } = await open()
      const reply = await call('GET', '/v1/pets/search', undefined, { Prefer: 'code=404' })
      expect(JSON.parse(reply.text)).toMatchObject({ code: 'route_not_found', status: 404 })
      expect(reply.headers.get('sunset')).toBeNull()
      const refused = await call('PUT', '/v1/toys/7', undefined, { Prefer: 'code=405' })
      expect(refused.headers.get('allow')).toBe('GET, HEAD, PATCH, DELETE, OPTIONS')
    })

    it('sends no marks without marks', async () => {
      const { call } = await open(toys, { marks: false })
      expect((await call('GET', '/v1/toys')).headers.get('x-pet-mock')).toBeNull()
    })

    it('allows its methods in browsers', async () => {
      const { call } = await open()
      const { headers } = await call('OPTIONS', '/v1/anything')
      expect(headers.get('allow')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')
    })

    it('keeps records for each sandbox until a reset', async () => {
      const { call, emulator } = await open()
      const asWorker = { Authorization: 'Bearer demo-pro+worker-1' }
      expect(await call('POST', '/v1/toys', '{"name":"A"}', asWorker)).toMatchObject({ status: 201 })
      expect(await call('GET', '/v1/toys/8', undefined, asWorker)).toMatchObject({ status: 200 })
      expect(await call('GET', '/v1/toys/8')).toMatchObject({ status: 404 })
      emulator.sandboxes.startAnew('worker-1', Date.now())
      expect(await call('GET', '/v1/toys/8', undefined, asWorker)).toMatchObject({ status: 404 })
    })

    it('restores records from a snapshot', async () => {
      const { call, emulator } = await open()
      await call('POST', '/v1/toys', '{"name":"A","makerId":9007199254740993}')
      await call('POST', '/v1/toys', '{"name":"B"}')
      await call('DELETE', '/v1/toys/9')
      const before = await call('GET', '/v1/toys')
      const snapshot = JSON.parse(JSON.stringify(takeSnapshot(emulator.sandboxes.default)))
      emulator.sandboxes.startAnew('default', Date.now())
      expect((await call('GET', '/v1/toys')).text).not.toBe(before.text)
      emulator.sandboxes.keep(restoreWorld('default', snapshot))
      expect((await call('GET', '/v1/toys')).text).toBe(before.text)
      expect(await call('POST', '/v1/toys', '{"name":"C"}')).toMatchObject({ status: 201 })
      expect(await call('GET', '/v1/toys/10')).toMatchObject({ status: 200 })
    })
  })

  describe('as large services describe theirs', () => {
    const place = (required: readonly string[]) => ({
      type: 'object',
      required,
      properties: {
        city: { type: 'string' },
        at: { type: 'object', properties: { x: { type: 'integer' } } },
      },
    })
    const schema = {
      type: 'object',
      required: ['amount', 'home'],
      properties: {
        amount: { type: 'integer' },
        home: place(['city']),
        work: place(['city']),
        rows: { type: 'array', items: { type: 'object', properties: { price: { type: 'string' } } } },
        ids: { type: 'array', items: { type: 'string', maxLength: 2 } },
      },
    }
    const deep = { style: 'deepObject', explode: true }
    const encoding = { home: deep, work: deep, rows: deep, ids: { style: 'form', explode: true } }
    const form = { schema, encoding }
    const nullable = { type: 'object', properties: { a: { nullable: true, oneOf: [{ type: 'integer' }] } } }
    const answer = (content: object) => ({
      responses: { 200: { description: '', content: { 'application/json': content } } },
    })
    const text = JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'T', version: '1' },
      paths: {
        '/forms': {
          post: {
            requestBody: { content: { 'application/x-www-form-urlencoded': form } },
            ...answer({ example: 1 }),
          },
        },
        '/nullable': {
          post: { requestBody: { content: { 'application/json': { schema: nullable } } }, ...answer({}) },
        },
        '/example': {
          get: answer({ examples: { a: { value: { $ref: '#/components/examples/b' } } } }),
        },
        '/notes': { get: answer({ schema: { $ref: '#/components/schemas/Note' } }) },
      },
      components: {
        examples: { b: { value: { id: 7 } } },
        schemas: {
          Note: {
            type: 'object',
            required: ['any', 'title'],
            properties: {
              any: { anyOf: [{ 'x-a': 1 }], description: 'Any.', 'x-b': {} },
              title: { anyOf: [{}, { enum: [{ description: 'Kept.' }] }] },
            },
          },
        },
      },
    })

    it.each([
      ['amount=1&home[city]=A', 200],
      [
        'amount=1&home[city]=A&ids=abc',
        400,
        'Request body property ids.0 must NOT have more than 2 characters',
      ],
      ['amount=1&home[city]=A&work[city]=B', 200],
      ['amount=1&home[city]=A&rows[0][price]=B', 200],
      ['amount=1', 400, 'Request body property home must have required property city'],
      ['amount=1&home[at][x]=1', 400, 'Request body property home must have required property city'],
      ['amount=1&home[city]=A&note=#&work[at][x]=1', 400, 'Request body property work must have'],
      ['amount=1&home[city]=A&work[at][x]=a', 400, 'Request body property work.at.x must be integer'],
      ['amount=a&home[city]=A', 400, 'Request body property amount must be integer'],
    ])('reads the form %s', async (body, status, message = '') => {
      const { call } = await open(text)
      const reply = await call('POST', '/v1/forms', body, {
        'Content-Type': 'application/x-www-form-urlencoded',
      })
      expect(reply.text.replaceAll("'", '')).toContain(message)
      expect(reply.status).toBe(status)
    })

    it.each([
      ['{"a":null}', 200],
      ['{"a":1}', 200],
      ['{"a":"x"}', 400],
    ])('judges a schema that is nullable and has no type: %s', async (body, status) => {
      const { call } = await open(text)
      expect(await call('POST', '/v1/nullable', body)).toMatchObject({ status })
    })

    it.each([
      ['/v1/example', '{"id":7}'],
      ['/v1/notes', '{"any":{},"title":{"description":"Kept."}}'],
    ])('sends no part of the contract as a value: %s', async (path, sent) => {
      const { call } = await open(text)
      expect((await call('GET', path)).text).toBe(sent)
    })
  })
})
