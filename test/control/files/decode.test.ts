import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeText, NotText } from '../../../src/control/files/document.ts'

function placeOf(bytes: Uint8Array) {
  try {
    decodeText(bytes)
  } catch (error) {
    if (error instanceof NotText) return error.place
    throw error
  }
  return undefined
}

test('UTF-8 is decoded without its byte order mark', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, marked) => {
      const written = Buffer.from(`${marked ? '\ufeff' : ''}a${text}`)
      expect(decodeText(written)).toBe(Buffer.from(`a${text}`).toString())
    }),
  )
})

test('the first invalid byte is found at any position', () => {
  const bad = fc.constantFrom([0xff], [0x80], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f], [0xc0, 0xaf])
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'é', '🐈', '\n', '\r\n')),
      bad,
      fc.string(),
      (before, byte, after) => {
        const text = before.join('')
        const lines = text.split(/\r?\n/)
        expect(
          placeOf(Buffer.concat([Buffer.from(text), Buffer.from(byte), Buffer.from(`-${after}`)])),
        ).toEqual({
          line: lines.length,
          column: (lines.at(-1) ?? '').length + 1,
        })
      },
    ),
  )
})

test('a character cut off by the end is invalid', () => {
  expect(placeOf(Buffer.from('ab\né').subarray(0, 4))).toEqual({ line: 2, column: 1 })
})
