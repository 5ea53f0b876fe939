import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { relaySignals } from '../../../src/cli/commands/exec/relay-signals.ts'
import type { Signal } from '../../../src/cli/terminal/io.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Step = Signal | 'end' | number

/** What the command gets and a person is told, when signals come, and time passes between them, in milliseconds. */
function relay(steps: readonly Step[], typed: readonly Signal[] = []): readonly string[] {
  const done: string[] = []
  let send = (_signal: Signal) => {}
  const end = relaySignals({
    onSignal: (signals, callback) => {
      send = signal => signals.filter(known => known === signal).forEach(callback)
    },
    isSentToAll: signal => typed.includes(signal),
    pass: signal => done.push(signal),
    tell: text => done.push(text),
  })
  for (const step of steps) {
    if (typeof step === 'number') vi.advanceTimersByTime(step)
    else if (step === 'end') end()
    else send(step)
  }
  return done
}

const told = (signal: Signal) => `is still running 3 s after ${signal}: the next signal kills it.`

it.each<[what: string, steps: readonly Step[], done: readonly string[]]>([
  ['each is passed on', ['SIGHUP'], ['SIGHUP']],
  ['one that comes twice at once, as under npm, is one', ['SIGTERM', 20, 'SIGTERM'], ['SIGTERM']],
  ['two that differ are two', ['SIGINT', 20, 'SIGTERM'], ['SIGINT', 'SIGTERM']],
  ['the same again, soon, is passed on, too', ['SIGINT', 500, 'SIGINT'], ['SIGINT', 'SIGINT']],
  ['that a command goes on is told', ['SIGTERM', 2_999, 1, 9_999], ['SIGTERM', told('SIGTERM')]],
  ['the next one kills it', ['SIGINT', 3_000, 'SIGTERM'], ['SIGINT', told('SIGINT'), 'SIGKILL']],
  ['nothing is done to a command that has ended', ['SIGTERM', 'end', 9_999, 'SIGTERM'], ['SIGTERM']],
])('%s', (_, steps, done) => {
  expect(relay(steps)).toEqual(done)
})

it('what the command has from the terminal is not passed on, and never kills', () => {
  expect(relay(['SIGINT', 5_000, 'SIGINT', 5_000, 'SIGINT'], ['SIGINT'])).toEqual([])
  expect(relay(['SIGINT', 5_000, 'SIGTERM'], ['SIGINT'])).toEqual(['SIGTERM'])
})
