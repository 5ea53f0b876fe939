import * as z from 'zod'
import { shippedScenarios } from '../../../control/scenario/shipped.ts'
import { takeSandboxesSnapshot, takeSnapshot } from '../../../control/snapshot/take.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import { changedWorld, command } from '../routing/command-route.ts'
import { json } from '../routing/replies.ts'
import { type Asked, type Route, route, worldRoute } from '../routing/route.ts'
import { findWorld, findWorlds } from '../routing/sandbox.ts'
import { countView, orNull } from '../routing/shapes.ts'
import { clockView, showClock } from './clock.ts'

const name = z.string().meta({
  description: "A shipped scenario's name, or the path of a file.",
  examples: ['free-plan'],
})
const title = z.string().meta({ description: 'What it is called.', examples: ['Free plan'] })
const description = z.string().meta({ description: 'What it shows.' })

const scenarioView = z
  .strictObject({
    name,
    title,
    description: orNull(description),
    key: z.string().meta({ description: 'The key that it is about.', examples: ['demo-free'] }),
    seed: z.int().meta({ description: 'What all chance comes from.' }),
  })
  .meta({ id: 'RunningScenario' })

const sandboxView = z
  .strictObject({
    name: z.string().meta({ description: "The sandbox's name.", examples: ['worker-3'] }),
    scenario: name,
    clock: clockView,
    pets: countView('How many pets it holds.'),
    keys: countView('How many keys it knows.'),
    requests: countView('How many exchanges its journal holds.'),
  })
  .meta({ id: 'Sandbox' })
const sandboxesView = z.strictObject({ sandboxes: z.array(sandboxView) })

function showScenario({ scenario }: World): z.infer<typeof scenarioView> {
  const { name, title, description, key, seed } = scenario
  return { name, title, description: description ?? null, key, seed }
}

function showSandbox(world: World, now: number): z.infer<typeof sandboxView> {
  const { sandbox, scenario, pets, keys, journal } = world
  return {
    name: sandbox,
    scenario: scenario.name,
    clock: showClock(world, now),
    pets: pets.size,
    keys: keys.size,
    requests: journal.size,
  }
}

/** Those of these names that are there. */
function showSandboxes(
  names: readonly string[],
  { controls, now }: Pick<Asked<0, 0, 0>, 'controls' | 'now'>,
) {
  const worlds = names.flatMap(name => controls.emulator.sandboxes.get(name) ?? [])
  return { sandboxes: worlds.map(world => showSandbox(world, now)) }
}

export const worldRoutes: readonly Route[] = [
  worldRoute({
    id: 'getScenario',
    method: 'GET',
    path: '/scenario',
    tag: 'World',
    about: 'Tells which scenario runs.',
    answer: { about: 'The scenario.', schema: scenarioView },
    serve: world => json(showScenario(world)),
  }),
  command({
    id: 'setScenario',
    method: 'PUT',
    path: '/scenario',
    tag: 'World',
    do: 'setScenario',
    answer: { about: 'The scenario.', schema: scenarioView },
    show: ({ sandboxes }, { controls }) => showScenario(changedWorld(controls, sandboxes)),
  }),
  route({
    id: 'listScenarios',
    method: 'GET',
    path: '/scenarios',
    tag: 'World',
    about: 'Lists the shipped scenarios.',
    sandbox: 'none',
    answer: {
      about: 'The shipped scenarios.',
      schema: z.strictObject({
        scenarios: z.array(z.strictObject({ name, title, description: orNull(description) })),
      }),
    },
    serve: () =>
      json({
        scenarios: Array.from(shippedScenarios, ([shipped, file]) => ({
          name: shipped,
          title: file.title ?? shipped,
          description: file.description ?? null,
        })),
      }),
  }),
  command({
    id: 'reset',
    method: 'POST',
    path: '/reset',
    tag: 'World',
    do: 'reset',
    answer: { about: 'The sandboxes that were started anew.', schema: sandboxesView },
    show: ({ sandboxes }, asked) => showSandboxes(sandboxes, asked),
  }),
  route({
    id: 'takeSnapshot',
    method: 'GET',
    path: '/snapshot',
    tag: 'World',
    about: 'Takes a snapshot: everything that decides what is answered, in one document.',
    sandbox: 'any',
    refusals: ['not_found'],
    answer: { about: 'The snapshot.', schema: z.looseObject({ version: z.int() }) },
    serve: ({ controls, sandbox }) => {
      const { sandboxes } = controls.emulator
      if (sandbox === '*') return json(takeSandboxesSnapshot(sandboxes))
      const world = findWorld(sandboxes, sandbox)
      return world instanceof Response ? world : json(takeSnapshot(world))
    },
  }),
  command({
    id: 'restoreSnapshot',
    method: 'PUT',
    path: '/snapshot',
    tag: 'World',
    do: 'restoreSnapshot',
    wholeBody: 'snapshot',
    answer: { about: 'The sandboxes that were put back.', schema: sandboxesView },
    show: ({ sandboxes }, asked) => showSandboxes(sandboxes, asked),
  }),
  route({
    id: 'listSandboxes',
    method: 'GET',
    path: '/sandboxes',
    tag: 'World',
    about: 'Lists the sandboxes, the default one first.',
    sandbox: 'any',
    refusals: ['not_found'],
    answer: { about: 'The sandboxes.', schema: sandboxesView },
    serve: ({ controls, sandbox = '*', now }) => {
      const worlds = findWorlds(controls.emulator.sandboxes, sandbox)
      if (worlds instanceof Response) return worlds
      return json({ sandboxes: worlds.map(world => showSandbox(world, now)) })
    },
  }),
  command({
    id: 'createSandbox',
    method: 'PUT',
    path: '/sandboxes/{name}',
    tag: 'World',
    do: 'createSandbox',
    sandbox: 'none',
    answer: { about: 'The sandbox, new or as it was.', schema: sandboxView },
    show: ({ sandboxes }, { controls, now }) => showSandbox(changedWorld(controls, sandboxes), now),
  }),
  command({
    id: 'dropSandbox',
    method: 'DELETE',
    path: '/sandboxes',
    tag: 'World',
    do: 'dropSandbox',
    usualSandbox: '*',
    refusals: ['not_found'],
    answer: {
      about: 'Those of them that are there again: the default one starts anew.',
      schema: sandboxesView,
    },
    show: ({ sandboxes }, asked) => showSandboxes(sandboxes, asked),
  }),
]
