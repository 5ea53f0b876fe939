import { describe, expect, it, test } from 'vitest'
import { createLeftOut } from '../../../src/judges/exchanges/left-out.ts'
import { readRecording } from '../../../src/judges/exchanges/read-recording.ts'
import { type ArchiveEntry, archive, archiveEntry, monday } from '../../support/archives.ts'

function read(entries: readonly unknown[]) {
  const leftOut = createLeftOut()
  const bytes = new TextEncoder().encode(archive(entries))
  const recording = readRecording(bytes, { leftOut, keep: exchange => exchange })
  return { ...recording, skipped: leftOut.list().map(({ reason, count }) => [count, reason]) }
}

const request = (fields: object) => ({
  request: { method: 'POST', url: 'https://api.example/v1/pets', headers: [], ...fields },
})
const answer = (content: object) => ({ response: { status: 200, headers: [], content } })
const named = (name: string, value: unknown) => ({ name, value })
const marked = { response: { status: 503, headers: [named('x-pet-mock', 'outage')], content: {} } }

describe('a call', () => {
  const text = (body: string) => new TextEncoder().encode(body)
  const reply = (body: string | undefined) => ({ reply: { status: 200, headers: {}, body } })

  it.each<[about: string, entry: ArchiveEntry, exchange: object]>([
    [
      'is sent when its connection is open',
      { at: 5, fields: { timings: { blocked: 3, dns: -1, connect: 4, send: 1, wait: 12, receive: 0 } } },
      { call: { receivedAt: monday + 12 }, answeredAt: monday + 25 },
    ],
    [
      'has headers as they came',
      { fields: request({ headers: [named('Prefer', 'code=503'), named('a', 'b'), named('a', 'c')] }) },
      { call: { headers: ['Prefer', 'code=503', 'a', 'b', 'a', 'c'] } },
    ],
    [
      'has no header without a text',
      { fields: request({ headers: [named('a', 1), null, named('b', 'c')] }) },
      { call: { headers: ['b', 'c'] } },
    ],
    ['may have no list of headers', { fields: request({ headers: null }) }, { call: { headers: [] } }],
    [
      'has its body',
      { fields: request({ postData: { text: '{}', comment: '' } }) },
      { call: { body: text('{}') }, cut: { call: undefined } },
    ],
    [
      'of length 0 has no body',
      { fields: request({ bodySize: 0, postData: {} }) },
      { call: { body: undefined }, cut: { call: undefined } },
    ],
    [
      'of unknown length may have no body',
      { fields: request({ bodySize: 17 }) },
      { cut: { call: undefined } },
    ],
    [
      'has the answer',
      { status: 404, next: '/v1/pets?cursor=a' },
      { reply: { status: 404, headers: { Link: '</v1/pets?cursor=a>; rel="next"' }, body: undefined } },
    ],
    ['has the text of the answer', { fields: answer({ text: '[]' }) }, reply('[]')],
    [
      'has the text of an answer in base64',
      { fields: answer({ text: 'w4Q=', encoding: 'base64' }) },
      reply('Ä'),
    ],
    [
      'has no text of a broken answer',
      { fields: answer({ text: '*', encoding: 'base64' }) },
      reply(undefined),
    ],
    ['has no answer that is no text', { fields: answer({ text: 7 }) }, reply(undefined)],
    [
      'with only the start of its body says so',
      { fields: request({ postData: { text: '{"na', comment: 'Only the first 16 KiB are kept.' } }) },
      { call: { body: text('{"na') }, cut: { call: 4 } },
    ],
    [
      'with only the length of its body says so',
      { fields: request({ bodySize: 12, postData: { mimeType: 'application/json' } }) },
      { cut: { call: 12 } },
    ],
    ['that an emulator answered by a rule is marked', { fields: marked }, { trace: { synthetic: true } }],
  ])('%s', (_about, entry, exchange) => {
    expect(read([archiveEntry(entry)])).toMatchObject({ calls: [exchange], skipped: [] })
  })
})

test.each<[headers: readonly object[], gate: string]>([
  [[named('Origin', 'http://a'), named('access-control-request-method', 'POST')], 'preflight'],
  [[named('Origin', 'http://a')], 'operation'],
  [[named('Origin', 'Access-Control-Request-Method')], 'operation'],
])('OPTIONS with the headers %j is seen at the gate %s', (headers, gate) => {
  const entry = archiveEntry({ fields: request({ method: 'OPTIONS', headers }) })
  expect(read([entry]).calls).toMatchObject([{ trace: { gate } }])
})

describe('the key of a call', () => {
  const withHeader = (value: string) =>
    archiveEntry({ fields: request({ headers: [named('Authorization', value)] }) })
  const keysOf = (...entries: readonly unknown[]) => read(entries).calls?.map(({ trace }) => trace.key)

  it.each<[value: string, key: string | undefined]>([
    ['Bearer live_4f9a8c71b2e3', 'live_4f9a8c71b2e3'],
    ['bearer  live_4f9a8c71b2e3', 'live_4f9a8c71b2e3'],
    ['Bearer demo-f…', 'demo-f…'],
    ['BEARER demo-f…#2', 'demo-f…#2'],
    ['Bearer two words', 'Bearer'],
    ['Bearer demo-f… x', 'Bearer'],
    ['Bearer', 'Bearer'],
    ['Basic bWU6c2VjcmV0', undefined],
  ])('is what %s holds', (value, key) => {
    expect(keysOf(withHeader(value))).toEqual([key])
  })

  it('is unknown if no call has one, and missing if others have one', () => {
    const [none, some] = [archiveEntry({}), archiveEntry({ key: 'demo-pro' })]
    expect(read([none, none]).hidesKeys).toBe(true)
    expect(read([none, some]).hidesKeys).toBe(false)
    expect(read([archiveEntry({ fields: { _petMock: {} } })]).hidesKeys).toBe(false)
  })
})

it('reads the whole entries of an archive that is cut off', () => {
  const text = archive([archiveEntry({}), archiveEntry({ fields: { comment: 'a "quoted\\" ] } text' } })])
  const leftOut = createLeftOut()
  const bytes = new TextEncoder().encode(text.slice(0, -30))
  expect(readRecording(bytes, { leftOut, keep: exchange => exchange })?.calls).toHaveLength(1)
  expect(leftOut.list()).toMatchObject([{ reason: 'the archive is cut off in the middle of an entry' }])
})

it('an exchange of the journal is read back with what its JSON says', () => {
  const request = {
    at: '2026-03-02T08:00:00Z',
    method: 'POST',
    target: '/v1/pets',
    status: 201,
    key: 'demo-f…',
    request: { headers: { prefer: ['a', 'b'] }, body: '{}' },
    response: { headers: { location: '/v1/pets/7' }, body: '{"id":7}' },
  }
  const bytes = new TextEncoder().encode(JSON.stringify({ requests: [request] }))
  const [exchange] = readRecording(bytes, { leftOut: createLeftOut(), keep: one => one })?.calls ?? []
  expect(exchange).toMatchObject({
    at: monday,
    call: { headers: ['prefer', 'a', 'prefer', 'b'], body: new TextEncoder().encode('{}') },
    reply: { status: 201, headers: { Location: '/v1/pets/7' }, body: '{"id":7}' },
    trace: { key: 'demo-f…', operation: 'createPet', gate: 'operation' },
  })
})

it('counts what is left out by its reason, with three examples', () => {
  const leftOut = createLeftOut()
  for (const example of ['a', 'b', 'a', 'c', 'd', undefined]) leftOut.add('why', example)
  leftOut.add('more', undefined, 7)
  expect(leftOut.list()).toEqual([
    { reason: 'why', count: 6, examples: ['a', 'b', 'c'] },
    { reason: 'more', count: 7, examples: [] },
  ])
  const copy = leftOut.copy()
  copy.add('why')
  expect([leftOut.list()[0]?.count, copy.list()[0]?.count]).toEqual([6, 7])
  for (let index = 0; index < 100; index += 1) leftOut.add(`reason ${index}`)
  expect(leftOut.list()).toHaveLength(101)
  expect(leftOut.list().at(-1)).toEqual({ reason: 'other reasons', count: 2, examples: [] })
})
