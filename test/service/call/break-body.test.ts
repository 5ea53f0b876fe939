import { describe, expect, it } from 'vitest'
import { clip, quote } from '../../../src/service/call/echo.ts'
import { breaksNothing, type Fault, malform, planBody } from '../../../src/service/call/fault.ts'

it.each([
  ['[1]', '[1,'],
  ['', ''],
  ['"é', '"é'],
  ['a\x7f', 'a,'],
  ['a\x80', 'a\x80'],
])('malforms %j into %j', (body, expected) => {
  expect(malform(body)).toBe(expected)
})

describe('the plan of a broken body of 101 bytes', () => {
  it.each<[Fault, bytes: number, piece: number, pauseMs: number]>([
    ['truncate', 50, 50, 0],
    ['slow', 101, 11, 500],
    ['malformed', 101, 101, 0],
    [{ truncate: { after: 7 } }, 7, 7, 0],
    [{ truncate: { after: 500 } }, 101, 101, 0],
    [{ slow: { chunk: 9, every: 30 } }, 101, 9, 30],
    [{ slow: { bytesPerSecond: 500 } }, 101, 50, 100],
    [{ slow: { bytesPerSecond: 2 } }, 101, 1, 500],
  ])('%j', (fault, bytes, piece, pauseMs) => {
    expect(planBody(fault, 101)).toEqual({ bytes, piece, pauseMs })
  })
})

it.each<[Fault, boolean]>([
  [{ truncate: { after: 101 } }, true],
  [{ truncate: { after: 100 } }, false],
  [{ slow: { chunk: 500, every: 1 } }, false],
  ['truncate', false],
])('whether %j cuts 101 bytes off nowhere: %j', (fault, expected) => {
  expect(breaksNothing(fault, 101)).toBe(expected)
})

it.each<[Fault, boolean]>([
  ['truncate', true],
  ['malformed', true],
  [{ slow: { chunk: 500, every: 1 } }, true],
  [{ 'slow-close': 1 }, false],
  ['hang', false],
])('whether %j does nothing to a response without a body: %j', (fault, expected) => {
  expect(breaksNothing(fault, 0)).toBe(expected)
})

it.each([
  ['abcde', 5, 'abcde'],
  ['abcdef', 5, 'abcd…'],
  ['abc\ud83d\ude00f', 5, 'abc…'],
  ['ab\ud83d\ude00ef', 5, 'ab\ud83d\ude00…'],
])('clips %j to %i characters: %j', (text, most, expected) => {
  expect([clip(text, most), quote(text, most)]).toEqual([expected, JSON.stringify(expected)])
})

it('clips at 80 characters by default', () => {
  expect([clip('a'.repeat(80)).length, clip('a'.repeat(81)).length]).toEqual([80, 80])
})
