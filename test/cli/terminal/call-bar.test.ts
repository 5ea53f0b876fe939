import { expect, it } from 'vitest'
import type { TextStream } from '../../../src/cli/terminal/io.ts'
import { createCallBar } from '../../../src/cli/terminal/progress.ts'

function barOn(columns: number | undefined) {
  const written: string[] = []
  const stream: TextStream = {
    ...(columns !== undefined && { columns }),
    writableLength: 0,
    write: text => written.push(text) > 0,
    on: () => undefined,
  }
  return { bar: createCallBar(stream, 40), written }
}

it('grows with the calls and is removed at the end', () => {
  const { bar, written } = barOn(80)
  for (const calls of [1, 20, 40]) bar.onCall(calls)
  bar.clear()
  expect(written).toEqual([
    `\r\x1b[K  █${'░'.repeat(29)} 1 of at most 40 calls`,
    `\r\x1b[K  ${'█'.repeat(15)}${'░'.repeat(15)} 20 of at most 40 calls`,
    `\r\x1b[K  ${'█'.repeat(30)} 40 of at most 40 calls`,
    '\r\x1b[K',
  ])
})

it('writes nothing without a terminal', () => {
  const { bar, written } = barOn(undefined)
  bar.onCall(1)
  bar.clear()
  expect(written).toEqual([])
})
