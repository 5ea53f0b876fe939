import { describe, expect, it } from 'vitest'
import { createChoiceList, createListPlace } from '../../../src/cli/terminal/choice-list.ts'
import { createFooter } from '../../../src/cli/terminal/footer.ts'
import type { Io } from '../../../src/cli/terminal/io.ts'

const escapeKey = '\x1b'
const sequences = new RegExp(`${escapeKey}\\[(\\d+)A|${escapeKey}\\[J|[\\s\\S]`, 'gu')

/** A terminal that knows what a footer writes, and wraps lines. */
function screen(columns: number) {
  let rows = ['']
  let [row, column] = [0, 0]
  const put = (character: string) => {
    if (columns > 0 && column === columns) newLine()
    rows[row] =
      `${(rows[row] ?? '').slice(0, column).padEnd(column)}${character}${(rows[row] ?? '').slice(column + 1)}`
    column += 1
  }
  const newLine = () => {
    row += 1
    column = 0
    rows[row] ??= ''
  }
  const write = (text: string) => {
    for (const [part, up] of text.matchAll(sequences)) {
      if (up !== undefined) row -= Number(up)
      else if (part === '\x1b[J') rows = [...rows.slice(0, row), (rows[row] ?? '').slice(0, column)]
      else if (part === '\r') column = 0
      else if (part === '\n') newLine()
      else put(part)
    }
    return true
  }
  const stream = { columns, writableLength: 0, write, on: () => {} }
  return {
    io: { env: {}, stdout: stream, stderr: stream } as unknown as Io,
    shown: () => rows.map(line => line.trimEnd()),
  }
}

const choices = [
  { name: 'ban', about: 'One strike from a ban' },
  { name: 'outage', about: 'An outage' },
  { name: 'my/\x1b[2J.yaml', about: 'your own scenario' },
]

function open(columns = 60) {
  const { io, shown } = screen(columns)
  const footer = createFooter(io)
  const place = createListPlace(footer)
  const chosen: string[] = []
  footer.io.stdout.write('first\n')
  place.open(createChoiceList('Scenario', choices, 'outage'), name => chosen.push(name))
  return { ...place, footer, shown, chosen }
}

describe('a list to choose from', () => {
  it('stays below what is written, and leaves nothing behind', () => {
    const { press, footer, shown, chosen } = open()
    const list = (at: string) => [
      `Scenario: type to filter, ↑↓ a…o choose, Esc to leave (${at} of 3)`.slice(0, 59),
      ...[
        'ban              One strike from a ban',
        'outage           An outage',
        'my/\\x1b[2J.yaml  your own scenario',
      ].map((line, index) => `${index + 1 === Number(at) ? '❯' : ' '} ${line}`),
      '›',
    ]
    expect(shown().slice(2)).toEqual(list('2').slice(1))
    footer.io.stdout.write('second\n')
    footer.io.stderr.write(`${'third '.repeat(15).trim()}\n`)
    expect(shown().slice(0, 4)).toEqual([
      'first',
      'second',
      'third '.repeat(10).trim(),
      'third '.repeat(5).trim(),
    ])
    expect(shown().slice(5)).toEqual(list('2').slice(1))
    press('\x1b[B')
    expect(shown().slice(5)).toEqual(list('3').slice(1))
    press('\x1b[A')
    press('\x1b[5~')
    expect(shown().slice(5)).toEqual(list('1').slice(1))
    expect(press('\r')).toBe(true)
    expect(chosen).toEqual(['ban'])
    expect(shown().slice(4)).toEqual([''])
    footer.io.stdout.write('last\n')
    expect(shown().slice(4)).toEqual(['last', ''])
    expect(press('x')).toBe(false)
  })

  it('is filtered by what is typed', () => {
    const { press, shown, chosen } = open()
    for (const key of 'strikez') press(key)
    expect(shown().at(-1)).toBe('› strikez')
    expect(shown().filter(line => line.startsWith('❯'))).toEqual([])
    press('\r')
    expect(chosen).toEqual([])
    press('\x7f')
    expect(shown().filter(line => line.startsWith('❯'))).toEqual(['❯ ban              One strike from a ban'])
    press('\x15')
    expect(shown()).toHaveLength(6)
    press('\r')
    expect(chosen).toEqual(['ban'])
  })

  it.each(['\x1b', '\x03', '\x1a'])('is left by %j', key => {
    const { press, shown, chosen } = open()
    press(key)
    expect([shown(), chosen]).toEqual([['first', ''], []])
  })

  it('takes 80 columns of a terminal that says it has none', () => {
    expect(open(0).shown()).toEqual(open(80).shown())
  })

  it.each([20, 24, 40, 80, 200])('fits into %d columns', columns => {
    expect(open(columns).shown().length).toBeLessThanOrEqual(6)
  })
})
