import { describe, expect, it } from 'vitest'
import { createProgress } from '../../../src/cli/terminal/progress.ts'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { settlePets } from '../../../src/control/scenario/settle/settle.ts'

/** Everything on stderr when the callbacks come `stepMs` apart. */
function stderrOf(stepMs: number, columns?: number): string {
  let now = 0
  let text = ''
  const write = (more: string) => {
    text += more
    return true
  }
  const stderr = { ...(columns !== undefined && { columns }), writableLength: 0, write, on: () => {} }
  const { onPetsMade, done } = createProgress(stderr, () => now)
  for (let made = 10_000; made < 100_000; made += 10_000) {
    now += stepMs
    onPetsMade(made, 100_000)
  }
  done()
  return text
}

describe('while many pets are generated', () => {
  it.each<[what: string, stepMs: number, columns: number | undefined, text: string]>([
    ['a start of less than a second prints nothing', 100, 80, ''],
    ['a stream that is no terminal gets one line', 300, undefined, 'Generating 100,000 pets: 40 %\n'],
    [
      'a terminal gets an updated line, which is removed at the end',
      130,
      80,
      '\rGenerating 100,000 pets: 80 %\rGenerating 100,000 pets: 90 %\r\x1b[K',
    ],
  ])('%s', (_what, stepMs, columns, text) => {
    expect(stderrOf(stepMs, columns)).toBe(text)
  })

  it('calls back with the number so far and the total', () => {
    const calls: [number, number][] = []
    settlePets({ count: 35_000 }, 1, shippedFixtures, (made, count) => calls.push([made, count]))
    expect(calls).toEqual([
      [10_000, 35_000],
      [20_000, 35_000],
      [30_000, 35_000],
    ])
  })
})
