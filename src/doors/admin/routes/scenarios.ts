import type { JsonObject } from '../../../base/json/value.ts'
import { anyText } from '../../../base/text/constraint.ts'
import { jsonMap } from '../../../control/fields/field.ts'
import { showFidelity } from '../../../control/profile/serve.ts'
import { unknownScenario } from '../../../control/scenario/extend.ts'
import { shippedScenarios } from '../../../control/scenario/shipped.ts'
import { originOf } from '../../../control/situation/behaviour-fields.ts'
import { asSentence, json, refusal } from '../routing/replies.ts'
import { needed, numbersOrDigits, optional, partOf } from '../routing/request-fields.ts'
import { type Route, route } from '../routing/route.ts'
import * as view from '../routing/views.ts'

const name = view.text("The scenario's name.", 'free-plan')
const title = view.text("The scenario's title.", 'Free plan')
const description = view.orNull(view.text('The situation that it sets up.'))
const summary = { name, title, description }

const step = view.object({
  kind: view.choice(['call', 'advance', 'change', 'note']),
  text: view.text('The step in one line; empty for a note.', 'GET /v1/pets ×60'),
  note: view.orNull(view.anyText),
  step: view.of('object', 'The step, as in the file.'),
})

const scenarioDetails = view.named('ShippedScenario', {
  ...summary,
  key: view.text('The key that the scenario is about.', 'demo-free'),
  yaml: view.orNull(view.text('The scenario as a file with every setting; null: it is not shipped.')),
  start: view.orNull(
    view.of(
      'object',
      'A body for PUT /scenario that starts the walkthrough, on a frozen clock; null: reset the sandbox, and freeze its clock.',
    ),
  ),
  steps: view.list(step, 'The walkthrough; empty if there is none.'),
})

const fidelity = view.named('Fidelity', {
  settings: view.list(
    view.object({
      setting: view.text('Its place in a scenario.', 'limits.window'),
      assumption: view.text('The assumption that it belongs to.', 'A05'),
      value: { description: 'The value; null: none.', examples: ['calendar'] },
      source: view.choice(['scenario', 'observed', 'inferred', 'bounded', 'assumed']),
      last: view.orNull(view.text('The day on which it was seen; null: it was not.', '2026-11-22')),
    }),
  ),
})

const difference = view.object({ what: view.anyText, expected: view.anyText, got: view.anyText })

const playedStep = view.named('PlayedStep', {
  number: view.of('integer', 'The number of the step.', 1),
  calls: view.count('The calls that were made.'),
  outcome: view.text('The statuses that came.', '200 ×60, 429 ×10'),
  differences: view.list(difference, 'What differs from the expectation; empty: nothing.'),
  unjudged: view.list(view.anyText, 'What could not be compared.'),
  impossible: view.orNull(view.text('Why the step, and so every later one, cannot be played.')),
  saved: view.of('object', 'What the steps so far saved: send it with the next step.'),
  isLast: view.flag('Whether no step follows.'),
})

const nameField = needed(anyText, String, 'The name of a shipped scenario, or of the running one.', 'ban')
const stepNumbers = numbersOrDigits('the number of a step (1 or more)', 1, 10_000)

/** What a shipped scenario is made of. It is loaded when somebody looks. */
const loadDetails = () => import('./scenario-details.ts')

export const scenarioRoutes: readonly Route[] = [
  route({
    id: 'listScenarios',
    on: ['GET', '/scenarios'],
    about: 'Lists the shipped scenarios.',
    sandbox: 'none',
    answer: {
      about: 'The shipped scenarios.',
      schema: view.object({ scenarios: view.list(view.object(summary)) }),
    },
    serve: () =>
      json({
        scenarios: Array.from(shippedScenarios, ([name, { title = name, description = null }]) => ({
          name,
          title,
          description,
        })),
      }),
  }),
  route({
    id: 'getShippedScenario',
    on: ['GET', '/scenarios/{name}'],
    about: 'Returns a shipped scenario, or the running one: its file, and the steps of its walkthrough.',
    sandbox: 'one',
    params: { name: nameField },
    refusals: ['not_found'],
    answer: { about: 'The scenario.', schema: scenarioDetails },
    serve: async ({ controls: { fixtures }, params: { name }, world: { scenario } }) => {
      const file = shippedScenarios.get(name)
      if (file === undefined && scenario.name !== name) return noScenario(name)
      const { showDetails, showRunning } = await loadDetails()
      return json(file === undefined ? showRunning(scenario) : showDetails(name, file, fixtures))
    },
  }),
  route({
    id: 'getFidelity',
    on: ['GET', '/fidelity'],
    about: 'Lists the settings that fill gaps of the specification, and where the value of each comes from.',
    sandbox: 'one',
    answer: { about: 'The settings.', schema: fidelity },
    serve: ({ world: { scenario } }) => json({ settings: showFidelity({ origin: originOf(scenario) }) }),
  }),
  route({
    id: 'playStep',
    on: ['POST', '/scenarios/{name}/steps/{number}'],
    about: 'Plays one step of a walkthrough in the sandbox, and compares the responses with what it expects.',
    sandbox: 'one',
    params: {
      name: nameField,
      number: needed(stepNumbers, Number, 'The number of the step.', 1),
    },
    body: partOf({
      saved: optional(
        jsonMap,
        value => value as JsonObject,
        'What earlier steps saved, from their responses.',
        { id: 101 },
      ),
    }),
    answer: { about: 'The responses of the step.', schema: playedStep },
    serve: async request => {
      const { name, number } = request.params
      if (!shippedScenarios.has(name) && request.world.scenario.name !== name) return noScenario(name)
      const { playOne } = await loadDetails()
      const played = await playOne(name, number, request.body.saved ?? {}, request)
      return played === undefined
        ? refusal('not_found', `The walkthrough of ${name} has no step ${number}.`)
        : json(played)
    },
  }),
]

function noScenario(name: string): Response {
  return refusal('not_found', asSentence(unknownScenario(name, shippedScenarios)))
}
