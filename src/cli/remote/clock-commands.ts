import { parseDuration } from '../../base/time/duration.ts'
import { parseInstant } from '../../base/time/instant.ts'
import type { ClockState } from '../../library/client/controls.ts'
import { readDurationFlag, readInstantFlag } from '../arguments/flag-values.ts'
import { serverFlags } from '../arguments/server-flags.ts'
import { formatPace } from '../terminal/clock-pace.ts'
import { advanceFlags, resumeFlags } from './clock.ts'
import { expectWords, onServer, type Session } from './on-server.ts'

async function change(session: Session<unknown>, path: string, body?: object): Promise<void> {
  tell(session, await session.ask<ClockState>('POST', `/clock/${path}`, body))
}

function tell({ tell, paint }: Session<unknown>, clock: ClockState): void {
  tell(clock, ({ at, scale }) => [`${paint('bold', at)}  ${formatPace({ scale })}`])
}

export const show = onServer(serverFlags, {
  act: async session => tell(session, await session.ask('GET', '/clock')),
})

export const advance = onServer(advanceFlags, {
  check: (words, { to }) => {
    const [by, ...others] = words
    if ((by === undefined) === (to === undefined) || others.length > 0)
      return ['By how much? pet-mock clock advance 60s, or pet-mock clock advance --to 2030-12-05T00:00:00Z']
    if (by === undefined || parseDuration(by) !== undefined) return []
    if (parseInstant(by) !== undefined)
      return [`To an instant the clock goes by pet-mock clock advance --to ${by}`]
    return problemsOf(readDurationFlag(by))
  },
  act: session => change(session, 'advance', { by: session.words[0], to: session.values.to }),
})

export const freeze = onServer(serverFlags, {
  check: words => {
    const [at] = words
    return [
      ...expectWords(words, 'clock freeze', ['[ISO]'], 1),
      ...(at === undefined ? [] : problemsOf(readInstantFlag(at))),
    ]
  },
  act: session => change(session, 'freeze', { at: session.words[0] }),
})

export const resume = onServer(resumeFlags, {
  act: session => change(session, 'resume', { scale: session.values.scale }),
})

export const reset = onServer(serverFlags, { act: session => change(session, 'reset') })

function problemsOf(
  reading: ReturnType<typeof readDurationFlag | typeof readInstantFlag>,
): readonly string[] {
  return reading.ok ? [] : reading.problems
}
