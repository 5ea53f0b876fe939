import { describe, expect, it } from 'vitest'
import { readHar } from '../../../src/judges/recording/read-har.ts'
import { createLeftOut, type SeenCall } from '../../../src/judges/recording/seen-call.ts'
import { type ArchiveEntry, archive, archiveEntry, monday } from '../../support/archives.ts'

function read(entries: readonly unknown[], base?: string) {
  const leftOut = createLeftOut()
  const har = readHar(archive(entries), base, leftOut)
  return { ...har, skipped: leftOut.list().map(({ reason, count }) => [count, reason]) }
}

const request = (fields: object) => ({
  request: { method: 'POST', url: 'https://api.example/v1/pets', headers: [], ...fields },
})
const answer = (content: object) => ({ response: { status: 200, headers: [], content } })
const named = (name: string, value: unknown) => ({ name, value })

describe('a call', () => {
  it.each<[about: string, entry: ArchiveEntry, call: Partial<SeenCall>]>([
    ['has its times', { at: 5 }, { sentAt: monday + 5, answeredAt: monday + 25 }],
    [
      'has headers by their lower-case names',
      { fields: request({ headers: [named('Prefer', 'code=503')] }) },
      { headers: { prefer: 'code=503' } },
    ],
    [
      'has no header without a text',
      { fields: request({ headers: [named('a', 1), null, named('b', 'c')] }) },
      { headers: { b: 'c' } },
    ],
    ['may have no list of headers', { fields: request({ headers: null }) }, { headers: {} }],
    ['has its body', { fields: request({ postData: { text: '{}', comment: '' } }) }, { body: '{}' }],
    ['of length 0 has no body', { fields: request({ bodySize: 0, postData: {} }) }, { body: undefined }],
    ['of unknown length may have no body', { fields: request({ bodySize: 17 }) }, { body: undefined }],
    [
      'has the answer',
      { status: 404, next: '/v1/pets?cursor=a' },
      { answer: { status: 404, headers: { link: '</v1/pets?cursor=a>; rel="next"' }, body: undefined } },
    ],
    [
      'has the text of the answer',
      { fields: answer({ text: '[]' }) },
      { answer: { status: 200, headers: {}, body: '[]' } },
    ],
    [
      'has the text of an answer in base64',
      { fields: answer({ text: 'w4Q=', encoding: 'base64' }) },
      { answer: { status: 200, headers: {}, body: 'Ä' } },
    ],
    [
      'has no text of a broken answer',
      { fields: answer({ text: '*', encoding: 'base64' }) },
      { answer: { status: 200, headers: {}, body: undefined } },
    ],
    [
      'has no answer that is no text',
      { fields: answer({ text: 7 }) },
      { answer: { status: 200, headers: {}, body: undefined } },
    ],
  ])('%s', (_about, entry, call) => {
    expect(read([archiveEntry(entry)])).toMatchObject({ calls: [call], skipped: [] })
  })

  it.each<[about: string, fields: Record<string, unknown>]>([
    [
      'the start of its body',
      request({ postData: { text: '{"na', comment: 'Only the first 16 KiB are kept.' } }),
    ],
    ['the length of its body', request({ bodySize: 12, postData: { mimeType: 'application/json' } })],
  ])('with only %s is left out', (_about, fields) => {
    expect(read([archiveEntry({ fields })])).toMatchObject({
      calls: [],
      skipped: [[1, 'the body of the call was not kept']],
    })
  })

  it('without an answer is left out', () => {
    expect(read([archiveEntry({ status: 0 })]).skipped).toEqual([[1, 'there is no complete answer']])
  })
})

describe('the key of a call', () => {
  const withHeader = (value: string) =>
    archiveEntry({ fields: request({ headers: [named('Authorization', value)] }) })
  const keysOf = (...entries: readonly unknown[]) => read(entries).calls?.map(({ key }) => key)

  it.each<[value: string, key: string | null | undefined]>([
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
    expect(keysOf(none, none)).toEqual([undefined, undefined])
    expect(keysOf(none, some)).toEqual([null, 'demo-pro'])
    expect(keysOf(archiveEntry({ fields: { _petMock: {} } }))).toEqual([null])
  })
})

it('takes the base URL with the most calls of known operations', () => {
  const at = (url: string) => archiveEntry({ url })
  const entries = [
    at('https://a.example/v1/x'),
    at('https://a.example/v1/y'),
    at('https://b.example/v1/pets'),
  ]
  expect(read(entries)).toMatchObject({
    base: 'https://b.example/v1',
    calls: [{ target: '/v1/pets' }],
    skipped: [[2, 'calls of other addresses']],
  })
  expect(read([])).toEqual({ base: undefined, calls: [], skipped: [] })
})

it('reads the whole entries of an archive that is cut off', () => {
  const leftOut = createLeftOut()
  const text = archive([archiveEntry({}), archiveEntry({ fields: { comment: 'a "quoted\\" ] } text' } })])
  const har = readHar(text.slice(0, -30), undefined, leftOut)
  expect(har?.calls).toHaveLength(1)
  expect(leftOut.list()).toMatchObject([{ reason: 'the archive is cut off in the middle of an entry' }])
  expect(readHar(text, undefined, createLeftOut())?.calls).toHaveLength(2)
  expect(readHar('{}', undefined, createLeftOut())).toBeUndefined()
})

it('takes no more than the first 2,000 calls and no entry above 1 MiB', () => {
  const many = Array.from({ length: 2_005 }, () => archiveEntry({}))
  const { calls, skipped } = read([archiveEntry({ fields: { comment: 'x'.repeat(2 ** 20) } }), ...many])
  expect(calls).toHaveLength(2_000)
  expect(skipped).toEqual([
    [1, 'an entry is larger than 1 MiB'],
    [5, 'calls beyond the first 2000'],
  ])
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
