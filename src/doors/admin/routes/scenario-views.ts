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

export const scenarioDetails = {
  list: view.object({ scenarios: view.list(view.object(summary)) }),
  one: view.named(
    'ShippedScenario',
    view.object({
      ...summary,
      key: view.text('The key that the scenario is about.', 'demo-free'),
      yaml: view.text('The scenario as a file with every setting.'),
      start: view.of('object', 'A body for PUT /scenario that starts the walkthrough, on a frozen clock.'),
      steps: view.list(step, 'The walkthrough; empty if there is none.'),
    }),
  ),
}

const difference = view.object({ what: view.anyText, expected: view.anyText, got: view.anyText })

export const playedStep = view.named(
  'PlayedStep',
  view.object({
    number: view.of('integer', 'The number of the step.', 1),
    calls: view.count('The calls that were made.'),
    outcome: view.text('The statuses that came.', '200 ×60, 429 ×10'),
    differences: view.list(difference, 'What differs from the expectation; empty: nothing.'),
    unjudged: view.list(view.anyText, 'What could not be compared.'),
    impossible: view.orNull(view.text('Why the step, and so every later one, cannot be played.')),
    saved: view.of('object', 'What the steps so far saved: send it with the next step.'),
    isLast: view.flag('Whether no step follows.'),
  }),
)
