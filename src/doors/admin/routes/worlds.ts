import { readClock } from '../../../base/time/clock.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import type { Problem } from '../../../control/fields/problem.ts'
import { isMap } from '../../../control/fields/values.ts'
import { addProblems } from '../../../control/scenario/read/check-object.ts'
import { situationOf } from '../../../control/situation/situation.ts'
import { captureSandboxes, captureWorld, writeSandboxes, writeWorld } from '../../../control/snapshot/take.ts'
import type { Scenario } from '../../../emulator/worlds/scenario.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import { json, refusal, write } from '../routing/replies.ts'
import { type After, command, type Route, route } from '../routing/route.ts'
import { jsonInTurns } from '../routing/turns.ts'
import * as view from '../routing/views.ts'
import { clockView, showClock } from './clock.ts'
import { scenarioRoutes } from './scenarios.ts'

const tooMany =
  'A scenario file cannot hold the pets of this sandbox: too many were changed, or one has an id, fields or a missing status that a scenario file cannot express. Save a snapshot instead: pet-mock snapshot save FILE.'

const situationRoute = route({
  id: 'getSituation',
  on: ['GET', '/situation.yaml'],
  about: 'Returns the present state of the sandbox as a scenario file.',
  sandbox: 'one',
  answer: { about: 'A scenario file.', type: 'application/yaml' },
  serve: async ({ controls: { fixtures }, world, now }) => {
    const file = situationOf(world, now, fixtures)
    if (file === undefined) return refusal('invalid_parameter', tooMany)
    const { writeSituation } = await import('../../../control/scenario/show.ts')
    const at = formatInstant(readClock(world.clock, now))
    const about = `The state of a pet-mock at ${at}. Each open window restarts at the first call of its key, and keeps its used calls.`
    return write(writeSituation(file, about), 'application/yaml', 200, {
      'Content-Disposition': 'attachment; filename="situation.yaml"',
    })
  },
})

const name = view.text("A shipped scenario's name, or the path of a file.", 'free-plan')

const running = view.answerOf<Scenario>('RunningScenario', {
  name: [name, ({ name }) => name],
  title: [view.text("The scenario's title.", 'Free plan'), ({ title }) => title],
  description: [
    view.orNull(view.text('The situation that it sets up.')),
    ({ description }) => description ?? null,
  ],
  key: [view.text('The key that the scenario is about.', 'demo-free'), ({ key }) => key],
  seed: [view.of('integer', 'The seed of all random choices.'), ({ seed }) => seed],
})

const sandbox = view.answerOf<{ readonly world: World; readonly now: number }>('Sandbox', {
  name: [view.text("The sandbox's name.", 'worker-3'), ({ world }) => world.sandbox],
  scenario: [name, ({ world }) => world.scenario.name],
  clock: [clockView, ({ world, now }) => showClock(world, now)],
  pets: [view.count('Pets in the store.'), ({ world }) => world.pets.size],
  keys: [view.count('Known API keys.'), ({ world }) => world.keys.size],
  requests: [view.count('Requests in the journal.'), ({ world }) => world.journal.size],
})
const sandboxesView = view.object({ sandboxes: view.list(sandbox.schema) })

function showSandboxes(worlds: readonly World[], now: number) {
  return { sandboxes: worlds.map(world => sandbox.show({ world, now })) }
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
    answer: { about: 'The scenario.', schema: running.schema },
    serve: ({ world }) => json(running.show(world.scenario)),
  }),
  command({
    do: 'useScenario',
    on: ['PUT', '/scenario'],
    addProblems: (body, found, fixtures) => {
      const [own, others] = [found.filter(isInScenario), found.filter(problem => !isInScenario(problem))]
      const inside = own.map(problem => ({ ...problem, path: problem.path.slice(1) }))
      const all = addProblems(isMap(body) ? body.scenario : undefined, inside, fixtures)
      return [...all.map(problem => ({ ...problem, path: ['scenario', ...problem.path] })), ...others]
    },
    about: 'The scenario.',
    schema: running.schema,
    show: (_changed, { world }) => running.show(world.scenario),
  }),
  ...scenarioRoutes,
  situationRoute,
  command({ do: 'reset', on: ['POST', '/reset'], about: 'The restarted sandboxes.', ...sandboxesAnswer }),
  route({
    id: 'saveSnapshot',
    on: ['GET', '/snapshot'],
    about: 'Takes a snapshot: one document with everything that affects responses.',
    sandbox: 'any',
    answer: { about: 'The snapshot.', schema: view.of('object') },
    serve: ({ controls, sandbox: named, world, waiting }) => {
      const { sandboxes } = controls.emulator
      const pieces =
        named === '*' ? writeSandboxes(captureSandboxes(sandboxes)) : writeWorld(captureWorld(world))
      return jsonInTurns(pieces, waiting)
    },
  }),
  command({
    do: 'loadSnapshot',
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
    schema: sandbox.schema,
    show: (_changed, after) => sandbox.show(after),
  }),
  command({
    do: 'deleteSandbox',
    on: ['DELETE', '/sandboxes'],
    usualSandbox: '*',
    refusals: ['not_found'],
    about: 'The restarted default sandbox, if it was deleted.',
    ...sandboxesAnswer,
  }),
]
