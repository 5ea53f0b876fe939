import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { relaySignals } from '../../../src/cli/commands/exec/run.ts'
import type { Signal } from '../../../src/cli/terminal/io.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Step = Signal | 'end' | number

/** The signals that the command gets and the notices, after signals and waits in milliseconds. */
function relay(steps: readonly Step[], typed: readonly Signal[] = []): readonly string[] {
  const done: string[] = []
  let send = (_signal: Signal) => {}
  const io: Parameters<typeof relaySignals>[0] = {
    onSignal: (signals, callback) => {
      send = signal => signals.filter(known => known === signal).forEach(callback)
    },
    isSentToAll: signal => typed.includes(signal),
  }
  const add = (text: string) => done.push(text)
  const end = relaySignals(io, add, add)
  for (const step of steps) {
    if (typeof step === 'number') vi.advanceTimersByTime(step)
    else if (step === 'end') end()
    else send(step)
  }
  return done
}

const notice = (signal: Signal) => `is still running 3 s after ${signal}: the next signal kills it.`

it.each<[what: string, steps: readonly Step[], done: readonly string[]]>([
  ['passes on a signal', ['SIGHUP'], ['SIGHUP']],
  ['ignores a repeat within 50 ms, as of npm', ['SIGTERM', 20, 'SIGTERM'], ['SIGTERM']],
  ['passes on two different signals', ['SIGINT', 20, 'SIGTERM'], ['SIGINT', 'SIGTERM']],
  ['passes on a later repeat', ['SIGINT', 500, 'SIGINT'], ['SIGINT', 'SIGINT']],
  ['reports a command that still runs', ['SIGTERM', 2_999, 1, 9_999], ['SIGTERM', notice('SIGTERM')]],
  ['kills it with the next signal', ['SIGINT', 3_000, 'SIGTERM'], ['SIGINT', notice('SIGINT'), 'SIGKILL']],
  ['does nothing after the end', ['SIGTERM', 'end', 9_999, 'SIGTERM'], ['SIGTERM']],
])('%s', (_, steps, done) => {
  expect(relay(steps)).toEqual(done)
})

const warning = 'is still running: a third Ctrl+C kills it.'

it.each<[what: string, steps: readonly Step[], done: readonly string[]]>([
  ['passes on no Ctrl+C, which the command gets itself', ['SIGINT', 9_999], []],
  ['kills it with the third Ctrl+C', ['SIGINT', 500, 'SIGINT', 500, 'SIGINT'], [warning, 'SIGKILL']],
  ['kills it after pauses, too', ['SIGINT', 5_000, 'SIGINT', 5_000, 'SIGINT'], [warning, 'SIGKILL']],
  [
    'takes an echo of npm for the same Ctrl+C',
    ['SIGINT', 20, 'SIGINT', 900, 'SIGINT', 20, 'SIGINT'],
    [warning],
  ],
  ['counts anew after a while', ['SIGINT', 10_001, 'SIGINT', 10_001, 'SIGINT'], []],
])('%s', (_, steps, done) => {
  expect(relay(steps, ['SIGINT'])).toEqual(done)
})

it('passes on another signal after a Ctrl+C', () => {
  expect(relay(['SIGINT', 5_000, 'SIGTERM'], ['SIGINT'])).toEqual(['SIGTERM'])
})
