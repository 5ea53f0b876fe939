import * as z from 'zod'
import { readClock } from '../../../base/time/clock.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import { changedWorld, command } from '../routing/command-route.ts'
import { json } from '../routing/replies.ts'
import { type Route, worldRoute } from '../routing/route.ts'
import { instantView } from '../routing/shapes.ts'

export const clockView = z
  .strictObject({
    at: instantView('What it says.'),
    frozen: z.boolean().meta({ description: 'Whether it stands still.' }),
    scale: z.number().meta({ description: 'How many times as fast as real time it runs; 0: not at all.' }),
  })
  .meta({ id: 'Clock', examples: [{ at: '2026-03-02T09:01:00Z', frozen: true, scale: 0 }] })

export function showClock({ clock }: World, now: number): z.infer<typeof clockView> {
  return { at: formatInstant(readClock(clock, now)), frozen: clock.scale === 0, scale: clock.scale }
}

const answer = { about: 'The clock as it is now.', schema: clockView }

function clockCommand(path: string, name: 'advanceClock' | 'freezeClock' | 'resumeClock' | 'resetClock') {
  return command({
    id: name,
    method: 'POST',
    path: `/clock/${path}`,
    tag: 'Clock',
    do: name,
    answer,
    show: ({ sandboxes }, { controls, now }) => showClock(changedWorld(controls, sandboxes), now),
  })
}

export const clockRoutes: readonly Route[] = [
  worldRoute({
    id: 'getClock',
    method: 'GET',
    path: '/clock',
    tag: 'Clock',
    about: 'Tells what the clock says and how fast it runs.',
    answer,
    serve: (world, { now }) => json(showClock(world, now)),
  }),
  clockCommand('advance', 'advanceClock'),
  clockCommand('freeze', 'freezeClock'),
  clockCommand('resume', 'resumeClock'),
  clockCommand('reset', 'resetClock'),
]
