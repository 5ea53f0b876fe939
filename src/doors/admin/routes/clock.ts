import { readClock } from '../../../base/time/clock.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import { type After, command } from '../routing/command-route.ts'
import { json } from '../routing/replies.ts'
import { type Route, route } from '../routing/route.ts'
import * as view from '../routing/views.ts'

export const clockView = view.named(
  'Clock',
  view.object({
    at: view.instant('The time on the clock.'),
    frozen: view.flag('Whether the clock stands still.'),
    scale: view.of('number', 'The speed, as a multiple of real time; 0: frozen.'),
  }),
)

export function showClock({ clock }: World, now: number) {
  return { at: formatInstant(readClock(clock, now)), frozen: clock.scale === 0, scale: clock.scale }
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
  command({ do: 'advanceClock', on: ['POST', '/clock/advance'], ...change }),
  command({ do: 'freezeClock', on: ['POST', '/clock/freeze'], ...change }),
  command({ do: 'resumeClock', on: ['POST', '/clock/resume'], ...change }),
  command({ do: 'resetClock', on: ['POST', '/clock/reset'], ...change }),
]
