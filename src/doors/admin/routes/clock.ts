import { readClock } from '../../../base/time/clock.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import { command } from '../routing/command-route.ts'
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

const about = 'The clock.'

function clockCommand(path: string, name: 'advanceClock' | 'freezeClock' | 'resumeClock' | 'resetClock') {
  return command({
    do: name,
    on: ['POST', `/clock/${path}`],
    about,
    schema: clockView,
    show: (_changed, { world, now }) => showClock(world, now),
  })
}

export const clockRoutes: readonly Route[] = [
  route({
    id: 'getClock',
    on: ['GET', '/clock'],
    about: 'Returns the time on the clock and its speed.',
    sandbox: 'one',
    answer: { about, schema: clockView },
    serve: ({ world, now }) => json(showClock(world, now)),
  }),
  clockCommand('advance', 'advanceClock'),
  clockCommand('freeze', 'freezeClock'),
  clockCommand('resume', 'resumeClock'),
  clockCommand('reset', 'resetClock'),
]
