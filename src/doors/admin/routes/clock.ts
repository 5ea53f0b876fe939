import { type Clock, readClock } from '../../../base/time/clock.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import { readStrikes } from '../../../service/bans/ban.ts'
import { readWindows, windowLengths } from '../../../service/limits/limiter.ts'
import { json } from '../routing/replies.ts'
import { type After, command, type Route, route } from '../routing/route.ts'
import * as view from '../routing/views.ts'

const clock = view.answerOf<{ readonly clock: Clock; readonly now: number }>('Clock', {
  at: [view.instant('The time on the clock.'), ({ clock, now }) => formatInstant(readClock(clock, now))],
  frozen: [view.flag('Whether the clock stands still.'), ({ clock }) => clock.scale === 0],
  scale: [view.of('number', 'The speed, as a multiple of real time; 0: frozen.'), ({ clock }) => clock.scale],
})
export const clockView = clock.schema

export function showClock({ clock: of }: World, now: number) {
  return clock.show({ clock: of, now })
}

interface Moment {
  readonly world: World
  readonly at: number
  readonly now: number
}

const moments = view.answerOf<Moment>('Moments', {
  aheadMs: [
    view.of('integer', 'How far the clock is ahead of real time, in milliseconds; negative: behind it.', 0),
    ({ at, now }) => at - now,
  ],
  reset: [
    view.orNull(view.instant('When the next window or ban of a key ends; null: none is open.')),
    nextEnd,
  ],
  midnight: [
    view.instant('The next midnight of UTC.'),
    ({ at }) => formatInstant((Math.floor(at / windowLengths.day) + 1) * windowLengths.day),
  ],
  removal: [
    view.orNull(
      view.instant('When the deprecated operations are removed; null: they are, or never will be.'),
    ),
    ({ world, at }) => {
      const { removedAt, after } = world.scenario.behaviour.deprecation
      return after === 'keep' || removedAt <= at ? null : formatInstant(removedAt)
    },
  ],
})

function nextEnd({ world, at }: Moment): string | null {
  const { bans } = world.scenario.behaviour
  const ends = [...world.keys.values()].flatMap(key => {
    const { minute, day } = readWindows(key.windows, key.quota, at)
    return [minute.endsAt, day.endsAt, readStrikes(key.strikes, at, bans).bannedUntil]
  })
  const later = ends.filter(end => end !== undefined && end > at).map(Number)
  return later.length === 0 ? null : formatInstant(later.reduce((one, other) => Math.min(one, other)))
}

const answer = { about: 'The clock.', schema: clockView }
const change = { ...answer, show: (_: unknown, { world, now }: After) => showClock(world, now) }

export const clockRoutes: readonly Route[] = [
  route({
    id: 'getClock',
    on: ['GET', '/clock'],
    about: 'Returns the time on the clock and its speed.',
    sandbox: 'one',
    answer,
    serve: ({ world, now }) => json(showClock(world, now)),
  }),
  route({
    id: 'getMoments',
    on: ['GET', '/clock/moments'],
    about: 'Returns how far the clock is from real time, and the next instants to move it to.',
    sandbox: 'one',
    answer: { about: 'Instants to move the clock to.', schema: moments.schema },
    serve: ({ world, now }) => json(moments.show({ world, at: readClock(world.clock, now), now })),
  }),
  command({ do: 'advanceClock', on: ['POST', '/clock/advance'], ...change }),
  command({ do: 'freezeClock', on: ['POST', '/clock/freeze'], ...change }),
  command({ do: 'resumeClock', on: ['POST', '/clock/resume'], ...change }),
  command({ do: 'resetClock', on: ['POST', '/clock/reset'], ...change }),
]
