import * as z from 'zod'
import { readClock } from '../../../base/time/clock.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import { command } from '../routing/command-route.ts'
import { json } from '../routing/replies.ts'
import { type Route, route } from '../routing/route.ts'
import { flagView, instantView } from '../routing/shapes.ts'

export const clockView = z
  .strictObject({
    at: instantView('The time on the clock.'),
    frozen: flagView('Whether the clock stands still.'),
    scale: z.number().meta({ description: 'The speed, as a multiple of real time; 0: frozen.' }),
  })
  .meta({ id: 'Clock', examples: [{ at: '2026-03-02T09:01:00Z', frozen: true, scale: 0 }] })

export function showClock({ clock }: World, now: number): z.infer<typeof clockView> {
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
