import { describe, expect, it } from 'vitest'
import { createProgress } from '../../../src/cli/terminal/progress.ts'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { settlePets } from '../../../src/control/scenario/settle-pets.ts'

/** What stands on stderr when each call back comes so many milliseconds after the one before. */
function told(stepMs: number, columns?: number): string {
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

describe('while many pets are made', () => {
  it.each<[what: string, stepMs: number, columns: number | undefined, text: string]>([
    ['nothing is said of less than a second', 100, 80, ''],
    ['one line is said where it cannot be taken back', 300, undefined, 'Making 100,000 pets: 40 %\n'],
    [
      'a terminal shows how far it has come, and is clean afterwards',
      130,
      80,
      '\rMaking 100,000 pets: 80 %\rMaking 100,000 pets: 90 %\r\x1b[K',
    ],
  ])('%s', (_what, stepMs, columns, text) => {
    expect(told(stepMs, columns)).toBe(text)
  })

  it('it is called back, with how many there are and will be', () => {
    const calls: [number, number][] = []
    settlePets({ count: 35_000 }, 1, shippedFixtures, (made, count) => calls.push([made, count]))
    expect(calls).toEqual([
      [10_000, 35_000],
      [20_000, 35_000],
      [30_000, 35_000],
    ])
  })
})
