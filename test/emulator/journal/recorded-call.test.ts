import { expect, it } from 'vitest'
import { costOf, RecordedCall, shorten, sizeOfHeaders } from '../../../src/emulator/journal/recorded-call.ts'
import { encodeOnce, reply } from '../../../src/service/call/answer.ts'

const recordedWith = (fields: Partial<RecordedCall>) =>
  Object.assign(new RecordedCall(), { answer: reply(200, ''), ...fields })

it.each<[what: string, fields: Partial<RecordedCall>, headerBytes: number, bytes: number]>([
  ['nothing', {}, 0, 0],
  ['headers', {}, 7, 7],
  ['a target', { target: '/v1/pets' }, 0, 8],
  ['a body', { body: new Uint8Array(5) }, 0, 5],
  ['a body that nobody read', { body: 'too-large' }, 0, 0],
  ['an ASCII reply', { answer: reply(200, 'abc') }, 0, 3],
  ['another reply', { answer: reply(200, 'aé') }, 0, 4],
  ['another reply and its octets', { answer: encodeOnce(reply(200, 'aé')) }, 0, 7],
  [
    'mismatches',
    {
      answer: {
        ...reply(400, ''),
        mismatches: [
          { what: 'a', asked: 'bc', expected: 'd' },
          { what: 'a', asked: '', expected: 'ef' },
        ],
      },
    },
    0,
    205,
  ],
])('a call with %s costs as much more', (_, fields, headerBytes, bytes) => {
  expect(costOf(recordedWith(fields), headerBytes)).toBe(1_000 + bytes)
})

const [most, longer] = [16_384, 16_385]
const longHeader = ['X-Long', 'x'.repeat(3_000)]

it.each<
  [
    what: string,
    body: number | undefined,
    reply: number,
    headers: readonly string[],
    cut: object,
    kept: readonly [body: number | undefined, reply: number, header: number],
  ]
>([
  ['nothing long', undefined, 1, ['A', 'b'], {}, [undefined, 1, 1]],
  ['the longest bodies', most, most, ['A', 'b'], {}, [most, most, 1]],
  ['a longer body', longer, 1, ['A', 'b'], { call: longer }, [most, 1, 1]],
  ['a longer reply', 1, longer, ['A', 'b'], { reply: longer }, [1, most, 1]],
  ['a long header', 1, 1, longHeader, {}, [1, 1, 2_048 + ' [cut, 3000 characters]'.length]],
  ['all of it', longer, longer, longHeader, { call: longer, reply: longer }, [most, most, 2_071]],
])('keeps of %s', (_, body, replied, headers, cut, [keptBody, keptReply, keptHeader]) => {
  const answer = encodeOnce(reply(200, 'é'.repeat(replied)))
  const recorded = recordedWith({
    body: body === undefined ? undefined : new Uint8Array(body),
    answer: { ...answer, length: replied },
    headers,
  })
  const before = recorded.answer
  const bytes = shorten(recorded, headers === longHeader ? sizeOfHeaders(headers) : 77)
  expect(recorded.cut).toEqual({ call: undefined, reply: undefined, ...cut })
  const { body: shown } = recorded
  expect([shown?.length, recorded.answer.body.length, recorded.headers[1]?.length]).toEqual([
    keptBody,
    keptReply,
    keptHeader,
  ])
  expect(bytes).toBe(headers === longHeader ? sizeOfHeaders(recorded.headers) : 77)
  // What is short stays the same object.
  expect([recorded.answer === before, recorded.headers === headers]).toEqual([
    replied === keptReply,
    headers !== longHeader,
  ])
  expect(recorded.answer.octets === undefined).toBe(replied !== keptReply)
})
