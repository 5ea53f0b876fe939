import { expect, it } from 'vitest'
import { cell, createPaint, tableLines } from '../../../src/cli/terminal/text.ts'

const rows = [
  [cell('✕'), cell('limit-remaining'), cell('Remaining counts each call once'), cell('section 3')],
  [cell('–'), cell('retry-past'), cell('Retry-After is not over'), cell('no 429 had Retry-After')],
]

it.each([
  [
    undefined,
    [
      '✕  limit-remaining  Remaining counts each call once  section 3',
      '–  retry-past       Retry-After is not over          no 429 had Retry-After',
    ],
  ],
  [
    55,
    [
      '✕  limit-remaining  Remaining counts each call once',
      '      section 3',
      '–  retry-past       Retry-After is not over',
      '      no 429 had Retry-After',
    ],
  ],
  [
    30,
    [
      '✕  limit-remaining',
      '      Remaining counts each',
      '      call once',
      '      section 3',
      '–  retry-past',
      '      Retry-After is not over',
      '      no 429 had Retry-After',
    ],
  ],
])('a table in %s columns breaks between words', (columns, lines) => {
  expect(tableLines(rows, createPaint({}), undefined, columns)).toEqual(lines)
})
