import { describe, expect, test } from 'vitest'
import { createSearchProgress } from '../../../../src/cli/commands/rehearse/search-client.ts'

function progressOn(columns?: number) {
  const written: string[] = []
  let time = 0
  const stderr = {
    ...(columns !== undefined && { columns }),
    writableLength: 0,
    write: (text: string) => written.push(text) > 0,
    on: () => undefined,
  }
  const progress = createSearchProgress(stderr, 200, () => time)
  const run = (ms: number) => {
    time += ms
    progress.onRun()
  }
  return { ...progress, run, written }
}

describe('the progress of a search', () => {
  test('is one updated line on a terminal', () => {
    const { run, onPhase, clear, written } = progressOn(100)
    run(5)
    onPhase('shrinking')
    run(5)
    clear()
    expect(written.every(text => text.startsWith('\r\x1b[K'))).toBe(true)
    expect(written).toEqual([
      expect.stringMatching(/ 1 of at most 200 runs: nothing found yet$/),
      expect.stringMatching(/ 2 of at most 200 runs: making what was found smaller$/),
      '\r\x1b[K',
    ])
  })

  test('is a line now and then elsewhere', () => {
    const { run, onPhase, clear, written } = progressOn()
    for (let at = 0; at < 25; at += 1) run(1_000)
    onPhase('repeating')
    run(6_000)
    clear()
    expect(written).toEqual([
      '10 of at most 200 runs: nothing found yet\n',
      '20 of at most 200 runs: nothing found yet\n',
      '26 of at most 200 runs: repeating what was found\n',
    ])
  })
})
