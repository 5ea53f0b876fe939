import { describe, expect, it } from 'vitest'
import { peekJsonBody, readJsonBody } from '../../../src/service/call/json-body.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const call = (body: Uint8Array | 'too-large' | undefined, ...headers: string[]) => ({
  method: 'POST',
  target: '/v1/pets',
  headers,
  body,
  scheme: 'http' as const,
  client: '127.0.0.1',
  receivedAt: 0,
})
const json = ['Content-Type', 'application/json']

describe('a refused body', () => {
  const supported = 'Send Content-Type: application/json.'
  it.each<[Uint8Array | 'too-large' | undefined, string[], string, string, string[]]>([
    [
      undefined,
      json,
      'invalid_body',
      'The request has no body: send a JSON object with Content-Type: application/json.',
      ['body', '–', 'a JSON object'],
    ],
    [
      utf8(''),
      [],
      'invalid_body',
      'The request has no body: send a JSON object with Content-Type: application/json.',
      ['body', '–', 'a JSON object'],
    ],
    [
      utf8('{}'),
      [],
      'unsupported_media_type',
      `The Content-Type is missing. ${supported}`,
      ['Content-Type', '–', 'application/json'],
    ],
    [
      utf8('{}'),
      [...json, ...json],
      'unsupported_media_type',
      `The Content-Type is given twice. ${supported}`,
      ['Content-Type', 'several', 'application/json'],
    ],
    [
      utf8('{}'),
      ['Content-Type', 'text/plain'],
      'unsupported_media_type',
      `A body of type "text/plain" is not supported. ${supported}`,
      ['Content-Type', 'text/plain', 'application/json'],
    ],
    [
      utf8('{}'),
      ['Content-Type', 'application/json; charset=latin1'],
      'unsupported_media_type',
      `The charset "latin1" is not UTF-8. ${supported}`,
      ['Content-Type', 'application/json; charset=latin1', 'application/json'],
    ],
    [
      utf8('{}'),
      [...json, 'Content-Encoding', 'gzip'],
      'unsupported_media_type',
      'Compressed bodies are not supported. Send the body without Content-Encoding.',
      ['Content-Encoding', 'gzip', '–'],
    ],
    [
      utf8('{}'),
      [...json, 'Content-Encoding', 'identity', 'Content-Encoding', 'identity'],
      'unsupported_media_type',
      'Compressed bodies are not supported. Send the body without Content-Encoding.',
      ['Content-Encoding', 'several', '–'],
    ],
    [
      'too-large',
      json,
      'body_too_large',
      'The body is larger than 2 MiB.',
      ['body', 'over 2 MiB', 'at most 2 MiB'],
    ],
    [
      Uint8Array.of(0x22, 0xff, 0x22),
      json,
      'invalid_json',
      'The body is not valid UTF-8.',
      ['body', 'other bytes', 'UTF-8'],
    ],
  ])('%j with %j: %s', (body, headers, code, message, [what, asked, expected]) => {
    const read = readJsonBody(call(body, ...headers), 2_097_152)
    const refusal = 'refusal' in read ? read.refusal : undefined
    expect(JSON.parse(refusal?.body ?? '{}')).toMatchObject({ code, message })
    expect(refusal?.mismatches).toEqual([{ what, asked, expected }])
  })

  it('says where its JSON ends', () => {
    const read = readJsonBody(call(utf8('{"a":'), ...json))
    const refusal = 'refusal' in read ? read.refusal : undefined
    const [mismatch] = refusal?.mismatches ?? []
    expect(mismatch).toEqual({ what: 'body', asked: expect.stringMatching(/./), expected: 'JSON' })
    expect(JSON.parse(refusal?.body ?? '{}').message).toBe(`The body is not valid JSON: ${mismatch?.asked}.`)
  })
})

it.each([
  ['application/json', true],
  ['\tApplication/JSON ; a=b', true],
  ['xapplication/json', false],
  ['application/json5', false],
  ['application/json;charset=UTF8', true],
  ['application/json;  charset  =  "utf-8"', true],
  ['application/json; charset=utf-8x', false],
  ['application/json; charset=xutf-8', false],
  ['application/json;charset=latin1', false],
  ['application/json; charset = latin1', false],
])('Content-Type %j: read: %j', (type, isRead) => {
  expect('value' in readJsonBody(call(utf8('{}'), 'Content-Type', type))).toBe(isRead)
})

it.each([
  ['identity', true],
  [' Identity ', true],
  ['br', false],
])('Content-Encoding %j: read: %j', (coding, isRead) => {
  expect('value' in readJsonBody(call(utf8('{}'), ...json, 'Content-Encoding', coding))).toBe(isRead)
})

it.each<[Uint8Array | 'too-large' | undefined, unknown]>([
  [utf8('[true]'), [true]],
  [utf8('\ufeff[true]'), [true]],
  [utf8('[true'), undefined],
  [Uint8Array.of(0xff), undefined],
  ['too-large', undefined],
  [undefined, undefined],
])('peeks into %j, whatever its type: %j', (body, value) => {
  expect(peekJsonBody(call(body))).toEqual(value)
})
