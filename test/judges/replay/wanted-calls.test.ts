import { describe, expect, it } from 'vitest'
import { hashOf } from '../../../src/base/hash.ts'
import { createLeftOut } from '../../../src/judges/exchanges/left-out.ts'
import type { WantedCall } from '../../../src/judges/replay/wanted-calls.ts'
import { groupByCaller, readWantedCalls } from '../../../src/judges/replay/wanted-calls.ts'
import { type ArchiveEntry, archive, archiveEntry, monday, wantedCall } from '../../support/archives.ts'

function read(text: string, base?: string) {
  const leftOut = createLeftOut()
  const recording = readWantedCalls(new TextEncoder().encode(text), base, leftOut)
  const skipped = leftOut.list().map(({ reason, count, examples }) => [count, reason, ...examples])
  return { recording, skipped }
}

/** The only call of an archive. */
function callOf(entry: ArchiveEntry): WantedCall | undefined {
  return read(archive([archiveEntry(entry)])).recording?.calls[0]
}

const request = (fields: object) => ({
  request: { method: 'GET', url: 'https://api.example/v1/pets', headers: [], ...fields },
})
const response = (fields: object) => ({ response: { status: 200, headers: [], content: {}, ...fields } })
const banned = '{"code":"api_key_banned","message":"wait"}'

describe('a call of an archive', () => {
  it.each<[about: string, entry: ArchiveEntry, call: Partial<WantedCall>]>([
    [
      'has its instant, and that of its answer',
      { at: 1_500 },
      { at: monday + 1_500, answeredAt: monday + 1_520 },
    ],
    ['without a time is answered at once', { fields: { time: undefined } }, { answeredAt: monday }],
    ['takes no negative time', { fields: { time: -1 } }, { answeredAt: monday }],
    ['takes a fraction of a millisecond', { fields: { time: 0.5 } }, { answeredAt: monday }],
    ['has a date as browsers write it', { at: '2026-03-02T09:00:00.250+01:00' }, { at: monday + 250 }],
    [
      'of pet-mock has the instant of its clock',
      { fields: { _petMock: { at: '2026-03-02T08:00:07Z' } } },
      { at: monday + 7_000 },
    ],
    [
      'of pet-mock without an instant has that of the archive',
      { at: 3, fields: { _petMock: { at: 7 } } },
      { at: monday + 3 },
    ],
    ['has its target', { url: '/v1/pets?limit=3&x=%20' }, { target: '/v1/pets?limit=3&x=%20' }],
    ['has no fragment', { url: '/v1/pets/7#top' }, { target: '/v1/pets/7' }],
    [
      'has no name and password of its address',
      { url: 'https://me:secret@api.example/v1/pets' },
      { target: '/v1/pets' },
    ],
    ['below another path loses it', { url: 'https://api.example/a/b/v1/pets/7' }, { target: '/v1/pets/7' }],
    ['has its key', { key: 'demo-pro' }, { key: 'demo-pro' }],
    ['of a browser may have had a key', {}, { key: undefined }],
    ['has the connection of HTTP archive 1.2', { fields: { connection: '52443' } }, { connection: '52443' }],
    ['has the number of a connection', { fields: { connection: 7 } }, { connection: '7' }],
    ['has the connection of Chromium', { fields: { _connectionId: '9' } }, { connection: '9' }],
    ['takes an empty connection for none', { fields: { connection: '' } }, { connection: undefined }],
    ['takes nothing else for a connection', { fields: { connection: true } }, { connection: undefined }],
    ['has its sandbox', { fields: { _petMock: { sandbox: 'w1' } } }, { sandbox: 'w1' }],
    ['has no sandbox of another program', { fields: { sandbox: 'w1' } }, { sandbox: 'default' }],
    ['has the hash of its body', { fields: request({ postData: { text: 'a' } }) }, { body: hashOf('a') }],
    ['without a body has none', { fields: request({ postData: null }) }, { body: 0 }],
    [
      'has the link to the next page',
      { next: 'https://api.example/v1/pets?cursor=a' },
      { next: 'https://api.example/v1/pets?cursor=a' },
    ],
    ['has the status of its answer', { status: 503 }, { status: 503, wasRefused: false }],
    ['without a status was not answered', { fields: response({ status: null }) }, { status: 0 }],
    ['was refused with 429', { status: 429 }, { wasRefused: true }],
    [
      'of a banned key was refused with 403',
      { fields: response({ status: 403, content: { text: banned } }) },
      { wasRefused: true },
    ],
    [
      'of a banned key was refused with 401',
      { fields: response({ status: 401, content: { text: banned } }) },
      { wasRefused: true },
    ],
    [
      'of a banned key was refused in base64',
      { fields: response({ status: 403, content: { encoding: 'base64', text: btoa(banned) } }) },
      { wasRefused: true },
    ],
    [
      'with a broken base64 was not',
      { fields: response({ status: 403, content: { encoding: 'base64', text: '%' } }) },
      { wasRefused: false },
    ],
    [
      'with another 403 was not',
      { fields: response({ status: 403, content: { text: '{"code":"forbidden"}' } }) },
      { wasRefused: false },
    ],
    [
      'with the words in a 404 was not',
      { fields: response({ status: 404, content: { text: banned } }) },
      { wasRefused: false },
    ],
    [
      'with the words in a 400 was not',
      { fields: response({ status: 400, content: { text: banned } }) },
      { wasRefused: false },
    ],
    [
      'without the text of a 403 was not',
      { fields: response({ status: 403, content: null }) },
      { wasRefused: false },
    ],
  ])('%s', (_about, entry, call) => {
    expect(callOf(entry)).toMatchObject(call)
  })
})

describe('the base URL of an archive', () => {
  const at = (url: string) => archiveEntry({ url })

  it('is the one with the most calls of known operations', () => {
    const entries = [
      'https://one.example/v1/none',
      'https://one.example/v1/none/1',
      'https://two.example:81/api/v1/pets',
    ].map(at)
    const { recording, skipped } = read(archive(entries))
    expect([recording?.base, recording?.calls.length]).toEqual(['https://two.example:81/api/v1', 1])
    expect(skipped).toEqual([[2, 'calls of other addresses', 'one.example']])
  })

  it.each<[about: string, url: string, target: string | undefined]>([
    ['itself', 'https://api.example/base', '/v1'],
    ['a path below it', 'https://api.example/base/pets?x=1', '/v1/pets?x=1'],
    ['the host in capitals', 'HTTPS://API.Example/base/pets', '/v1/pets'],
    ['its own v1', 'https://api.example/base/v1/pets', '/v1/v1/pets'],
    ['a longer name', 'https://api.example/basement/pets', undefined],
    ['another host', 'https://api.example.org/base/pets', undefined],
    ['another port', 'https://api.example:8443/base/pets', undefined],
    ['another scheme', 'http://api.example/base/pets', undefined],
    ['no web address', 'ftp://api.example/base/pets', undefined],
  ])('that the user names selects %s', (_about, url, target) => {
    const { recording, skipped } = read(archive([at(url)]), 'https://api.example/base')
    expect(recording).toMatchObject({ kind: 'archive', base: 'https://api.example/base' })
    expect(recording?.calls.map(call => call.target)).toEqual(target === undefined ? [] : [target])
    expect(skipped).toEqual(target === undefined ? [[1, 'calls outside /v1']] : [])
  })

  it.each(['/v1', '/v1/', '/v1/pets', '/v1?x=1'])('ends with /v1: %s', url => {
    expect(callOf({ url })?.target).toBe(url)
  })

  it.each([
    '/',
    '/pets',
    '/v10/pets',
    '/v2/pets',
    '/xv1/pets',
    '/a/v1beta/pets',
    '/pets?path=/v1/pets',
    '/pets#/v1/pets',
    '/static/app.v1/pets',
  ])('is missing: %s', url => {
    expect(read(archive([at(url)])).skipped).toEqual([[1, 'calls outside /v1']])
  })
})

it.each<[reason: string, entry: unknown]>([
  ['an entry is broken', 'text'],
  ['an entry is broken', null],
  ['an entry is broken', {}],
  ['an entry is broken', { ...archiveEntry({}), request: null }],
  ['an entry is broken', { ...archiveEntry({}), response: 'x' }],
  ['an entry is broken', archiveEntry({ fields: request({ url: 7 }) })],
  ['an entry is broken', archiveEntry({ fields: request({ method: null }) })],
  ['an entry has no valid date', archiveEntry({ at: '' })],
  ['an entry has no valid date', archiveEntry({ at: 'yesterday' })],
  ['an entry has no valid date', archiveEntry({ at: '1969-12-31T23:59:59Z' })],
  ['an entry has no valid date', archiveEntry({ fields: { startedDateTime: 17 } })],
  ['an entry is larger than 1 MiB', archiveEntry({ fields: { comment: 'x'.repeat(2 ** 20) } })],
  ["answered by the browser's cache", archiveEntry({ fields: { _fromCache: 'memory' } })],
  ["answered by the browser's cache", archiveEntry({ fields: { _fromCache: true } })],
  ["answered by the browser's cache", archiveEntry({ fields: { cache: { afterRequest: null } } })],
])('leaves out of an archive: %s (%#)', (reason, entry) => {
  const { recording, skipped } = read(archive([entry, archiveEntry({})]))
  expect(recording?.calls).toHaveLength(1)
  expect(skipped).toEqual([[1, reason]])
})

it.each([
  { _fromCache: '' },
  { _fromCache: false },
  { cache: {} },
  { cache: { beforeRequest: null, afterRequest: null } },
  { cache: { afterRequest: { eTag: 'x' } } },
  { headers: [null, { name: 'Authorization' }, { value: 'x' }] },
])('the service got a call of an archive with %j', fields => {
  expect(read(archive([archiveEntry({ fields })])).recording?.calls).toHaveLength(1)
})

const journalEntry = (fields: object = {}) => ({
  id: 1,
  at: '2026-03-02T08:00:00Z',
  method: 'GET',
  target: '/v1/pets',
  key: 'demo-f…',
  sandbox: 'w1',
  status: 200,
  code: null,
  request: { headers: {}, body: null },
  response: { headers: {} },
  ...fields,
})
const journal = (...entries: readonly unknown[]) => JSON.stringify({ requests: entries, truncated: false })
const log = (...events: readonly object[]) => events.map(event => `${JSON.stringify(event)}\n`).join('')
const logged = (fields: object = {}) => ({ event: 'call', ...journalEntry(fields) })

describe('a call of the journal and of the log', () => {
  it.each<[about: string, fields: object, call: Partial<WantedCall>]>([
    ['has its instant', { at: '2026-03-02T08:00:01.5Z' }, { at: monday + 1_500, answeredAt: monday + 1_500 }],
    [
      'has its method, target and status',
      { method: 'POST', target: '/v1/pets?a=1', status: 201 },
      { method: 'POST', target: '/v1/pets?a=1', status: 201 },
    ],
    ['loses the host of its target', { target: 'http://api.example/v1/pets/7' }, { target: '/v1/pets/7' }],
    ['has its masked key and its sandbox', {}, { key: 'demo-f…', sandbox: 'w1', connection: undefined }],
    ['may have no key', { key: null, sandbox: null }, { key: undefined, sandbox: 'default' }],
    ['has the hash of its body', { request: { body: 'a' } }, { body: hashOf('a') }],
    ['without a body has none', { request: null }, { body: 0 }],
    ['was refused with 429', { status: 429, code: 'rate_limit_exceeded' }, { wasRefused: true }],
    ['was refused by a ban', { status: 403, code: 'api_key_banned' }, { wasRefused: true }],
    ['was not refused with 503', { status: 503, code: 'unavailable' }, { wasRefused: false }],
    [
      'has the link to the next page',
      { response: { headers: { link: '</v1/pets?cursor=a>; rel="next"' } } },
      { next: '/v1/pets?cursor=a' },
    ],
    ['without headers has no link', { response: { headers: null } }, { next: undefined }],
    ['without a response has no link', { response: null }, { next: undefined }],
    ['with another link has none', { response: { headers: { link: 7 } } }, { next: undefined }],
  ])('%s', (_about, fields, call) => {
    expect(read(journal(journalEntry(fields))).recording).toMatchObject({
      kind: 'journal',
      calls: [call],
      base: undefined,
      notes: [],
    })
    expect(read(log(logged(fields))).recording).toMatchObject({
      kind: 'log',
      calls: [call],
      base: undefined,
      notes: [],
    })
  })

  it.each<[reason: string, fields: object]>([
    ['an entry is broken', { method: 1 }],
    ['an entry is broken', { target: null }],
    ['an entry is broken', { status: '200' }],
    ['an entry has no valid date', { at: 'noon' }],
    ['an entry has no valid date', { at: 5 }],
    ['an entry has no valid date', { at: '1969-12-31T23:59:59Z' }],
    ['calls of other addresses', { code: 'host_not_allowed' }],
    ['calls without a valid key, which use no quota', { code: 'missing_api_key', status: 401 }],
    ['calls without a valid key, which use no quota', { code: 'invalid_api_key', status: 401 }],
  ])('is left out: %s (%j)', (reason, fields) => {
    expect(read(journal(journalEntry(fields)))).toMatchObject({
      recording: { calls: [] },
      skipped: [expect.arrayContaining([1, reason])],
    })
    expect(read(log(logged(fields))).recording?.calls).toEqual([])
  })

  it('has its turn by its time: the journal has the newest last', () => {
    const entries = ['08:00:00', '08:00:01', '08:00:02'].map(time =>
      journalEntry({ at: `2026-03-02T${time}Z` }),
    )
    const { recording } = read(journal(...entries))
    expect(recording?.calls.map(({ at }) => at - monday)).toEqual([0, 1_000, 2_000])
    expect(recording?.notes).toEqual([])
  })
})

it('leaves entries of a journal out that are no calls, too long, or cut off', () => {
  const long = journalEntry({ request: { body: 'x'.repeat(2 ** 20) } })
  const text = journal(7, null, long, journalEntry(), journalEntry()).slice(0, -40)
  expect(read(text)).toMatchObject({
    recording: { calls: [{ at: monday }] },
    skipped: [
      [2, 'an entry is broken'],
      [1, 'an entry is larger than 1 MiB'],
      [1, 'the journal is cut off in the middle of an entry'],
    ],
  })
})

describe('a log', () => {
  const ready = { event: 'ready', url: 'http://127.0.0.1:4010/v1' }

  it('may have other lines, refused requests and dropped lines', () => {
    const lines = log(
      ready,
      logged(),
      { event: 'refused' },
      { event: 'refused' },
      { event: 'dropped', calls: 3 },
      { event: 'dropped' },
      { event: 'change' },
    )
    const { recording, skipped } = read(
      `\ufeff> npm start\n\n  \n${lines}[1]\n{"level":30}\n${'x'.repeat(2 ** 20 + 1)}`,
    )
    expect(recording).toMatchObject({ kind: 'log', calls: [{ at: monday }], notes: [] })
    expect(skipped).toEqual([
      [2, 'requests that the server refused before they were calls'],
      [4, 'lines that are not of the log'],
      [3, 'lines that the log dropped, because its reader was slow'],
    ])
  })

  it('may end without a line feed, and within a line', () => {
    expect(read(log(logged()).trim()).recording?.calls).toHaveLength(1)
    expect(read(`${log(logged())}{"event":"ca`)).toMatchObject({
      recording: { calls: [{}] },
      skipped: [[1, 'lines that are not of the log']],
    })
  })

  it('of two runs says so', () => {
    expect(read(log(ready, logged(), ready)).recording?.notes).toEqual([
      'The log is of 2 runs of a server. Calls of all runs are replayed by their time.',
    ])
    expect(read(log(ready, logged())).recording?.notes).toEqual([])
  })
})

it.each(['', 'hello', '[]', '{}', '{"log":{}}', '{"requests":{}}', '{"event":7}\n', '\u0000'])(
  'is no recording: %j',
  text => {
    expect(read(text)).toEqual({ recording: undefined, skipped: [] })
  },
)

it('skips calls that use no quota, and names each', () => {
  const { recording, skipped } = read(
    archive([
      archiveEntry({ method: 'OPTIONS' }),
      archiveEntry({ status: 401 }),
      archiveEntry({ at: '9999-12-31T23:59:59Z' }),
      archiveEntry({ fields: response({ status: 401, content: { text: banned } }) }),
      archiveEntry({ at: '2999-12-31T23:59:59Z' }),
    ]),
  )
  expect(recording?.calls.map(({ status }) => status)).toEqual([401, 200])
  expect(skipped).toEqual([
    [1, 'OPTIONS, which uses no quota', 'OPTIONS /v1/pets'],
    [1, 'calls without a valid key, which use no quota', 'GET /v1/pets'],
    [1, 'an entry has no valid date', 'GET /v1/pets'],
  ])
  expect(read(journal(journalEntry({ target: '/__admin/pets' }))).skipped).toEqual([
    [1, 'calls outside /v1', 'GET /__admin/pets'],
  ])
})

it('notes calls out of order, of unknown operations, and without an answer', () => {
  const { recording } = read(
    archive([
      archiveEntry({ at: 2 }),
      archiveEntry({ at: 0, url: '/v1/nests' }),
      archiveEntry({ at: 1, status: 0 }),
      archiveEntry({ at: 0, method: 'PATCH', status: 0 }),
    ]),
  )
  expect(recording?.calls.map(({ at }) => at - monday)).toEqual([0, 0, 1, 2])
  expect(recording?.notes).toEqual([
    'Out of order: 2 calls. The replay sorts all calls by time.',
    'Of unknown operations: 2 calls. They use quota as others do (A03).',
    'Without an answer: 2 calls. The replay makes them, too.',
  ])
  expect(read(archive([archiveEntry({ at: 1 }), archiveEntry({ at: 1 })])).recording?.notes).toEqual([])
})

describe('callers', () => {
  const call = (fields: Partial<WantedCall>) => wantedCall(0, '/v1/pets', fields)
  const [a, b, none] = [call({ key: 'a', connection: '1' }), call({ key: 'b', connection: '1' }), call({})]
  const namesOf = (calls: readonly WantedCall[], by: 'all' | 'key' | 'connection') => {
    const groups = groupByCaller(calls, by)
    return typeof groups === 'string' ? groups : groups.map(group => [group.name, group.calls.length])
  }

  it('are one by default', () => {
    expect(namesOf([a, b, none], 'all')).toEqual([[undefined, 3]])
  })

  it('have a key or a connection each', () => {
    expect(namesOf([a, b, a, none], 'key')).toEqual([
      ['a', 2],
      ['b', 1],
      ['without a key', 1],
    ])
    expect(namesOf([a, b, none], 'connection')).toEqual([
      ['1', 2],
      ['without a connection', 1],
    ])
  })

  it('have a sandbox each, which the key may name already', () => {
    const calls = ['default', 'w1', 'w2'].map(sandbox => call({ key: 'a', sandbox }))
    const named = call({ key: 'a+w2', sandbox: 'w2' })
    expect(namesOf([...calls, named], 'key')).toEqual([
      ['a', 1],
      ['a+w1', 1],
      ['a+w2', 2],
    ])
  })

  it('cannot be distinguished without keys or connections, or if there are too many', () => {
    expect(namesOf([none], 'key')).toBe('the recording has no API keys: browsers leave them out')
    expect(namesOf([none], 'connection')).toBe('the recording has no connections')
    const many = (count: number) => Array.from({ length: count }, (_, index) => call({ key: `k${index}` }))
    expect(namesOf(many(1_000), 'key')).toHaveLength(1_000)
    expect(namesOf(many(1_001), 'key')).toBe('the recording has more than 1000 callers')
  })
})
