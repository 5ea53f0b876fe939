import type { Problem } from '../../../control/fields/problem.ts'
import { isMap } from '../../../control/fields/values.ts'
import { addProblems } from '../../../control/scenario/read/check-object.ts'
import { captureSandboxes, captureWorld } from '../../../control/snapshot/take.ts'
import { writeSandboxes, writeWorld } from '../../../control/snapshot/write.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import { type After, command } from '../routing/command-route.ts'
import { json } from '../routing/replies.ts'
import { type Route, route } from '../routing/route.ts'
import { jsonInTurns } from '../routing/turns.ts'
import * as view from '../routing/views.ts'
import { clockView, showClock } from './clock.ts'
import { scenarioRoutes } from './scenarios.ts'
import { situationRoute } from './situation.ts'

const name = view.text("A shipped scenario's name, or the path of a file.", 'free-plan')
const title = view.text("The scenario's title.", 'Free plan')
const description = view.orNull(view.text('The situation that it sets up.'))

const scenarioView = view.named(
  'RunningScenario',
  view.object({
    name,
    title,
    description,
    key: view.text('The key that the scenario is about.', 'demo-free'),
    seed: view.of('integer', 'The seed of all random choices.'),
  }),
)

const sandboxView = view.named(
  'Sandbox',
  view.object({
    name: view.text("The sandbox's name.", 'worker-3'),
    scenario: name,
    clock: clockView,
    pets: view.count('Pets in the store.'),
    keys: view.count('Known API keys.'),
    requests: view.count('Requests in the journal.'),
  }),
)
const sandboxesView = view.object({ sandboxes: view.list(sandboxView) })

function showScenario({ scenario }: World) {
  const { name, title, description, key, seed } = scenario
  return { name, title, description: description ?? null, key, seed }
}

function showSandbox(world: World, now: number) {
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

function showSandboxes(worlds: readonly World[], now: number) {
  return { sandboxes: worlds.map(world => showSandbox(world, now)) }
}

const sandboxesAnswer = {
  schema: sandboxesView,
  show: (_changed: unknown, { worlds, now }: After) => showSandboxes(worlds, now),
}

const isInScenario = ({ path }: Problem) => path[0] === 'scenario'

export const worldRoutes: readonly Route[] = [
  route({
    id: 'getScenario',
    on: ['GET', '/scenario'],
    about: 'Returns the running scenario.',
    sandbox: 'one',
    answer: { about: 'The scenario.', schema: scenarioView },
    serve: ({ world }) => json(showScenario(world)),
  }),
  command({
    do: 'setScenario',
    on: ['PUT', '/scenario'],
    addProblems: (body, found, fixtures) => {
      const [own, others] = [found.filter(isInScenario), found.filter(problem => !isInScenario(problem))]
      const inside = own.map(problem => ({ ...problem, path: problem.path.slice(1) }))
      const all = addProblems(isMap(body) ? body.scenario : undefined, inside, fixtures)
      return [...all.map(problem => ({ ...problem, path: ['scenario', ...problem.path] })), ...others]
    },
    about: 'The scenario.',
    schema: scenarioView,
    show: (_changed, { world }) => showScenario(world),
  }),
  ...scenarioRoutes,
  situationRoute,
  command({ do: 'reset', on: ['POST', '/reset'], about: 'The restarted sandboxes.', ...sandboxesAnswer }),
  route({
    id: 'takeSnapshot',
    on: ['GET', '/snapshot'],
    about: 'Takes a snapshot: one document with everything that affects answers.',
    sandbox: 'any',
    answer: { about: 'The snapshot.', schema: view.of('object') },
    serve: ({ controls, sandbox, world, waiting }) => {
      const { sandboxes } = controls.emulator
      const pieces =
        sandbox === '*' ? writeSandboxes(captureSandboxes(sandboxes)) : writeWorld(captureWorld(world))
      return jsonInTurns(pieces, waiting)
    },
  }),
  command({
    do: 'restoreSnapshot',
    on: ['PUT', '/snapshot'],
    wholeBody: 'snapshot',
    isSnapshot: true,
    about: 'The restored sandboxes.',
    ...sandboxesAnswer,
  }),
  route({
    id: 'listSandboxes',
    on: ['GET', '/sandboxes'],
    about: 'Lists the sandboxes, the default one first.',
    sandbox: 'any',
    usualSandbox: '*',
    answer: { about: 'The sandboxes.', schema: sandboxesView },
    serve: ({ worlds, now }) => json(showSandboxes(worlds, now)),
  }),
  command({
    do: 'createSandbox',
    on: ['PUT', '/sandboxes/{name}'],
    sandbox: 'none',
    refusals: [],
    about: 'The sandbox, new or existing.',
    schema: sandboxView,
    show: (_changed, { world, now }) => showSandbox(world, now),
  }),
  command({
    do: 'dropSandbox',
    on: ['DELETE', '/sandboxes'],
    usualSandbox: '*',
    refusals: ['not_found'],
    about: 'The restarted default sandbox, if it was dropped.',
    ...sandboxesAnswer,
  }),
]
