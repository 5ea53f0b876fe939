import { expositionType, writeExposition } from '../../../emulator/metrics/exposition.ts'
import { openEventStream } from '../routing/event-stream.ts'
import { metricFamilies } from '../routing/metric-families.ts'
import { json, text } from '../routing/replies.ts'
import { type Route, route } from '../routing/route.ts'
import * as view from '../routing/views.ts'

const healthView = view.named(
  'Health',
  view.object({
    status: view.choice(['ok']),
    name: view.choice(['pet-mock'], 'Identifies the server.'),
    version: view.of('string', 'The version of pet-mock.', '0.1.0'),
    scenario: view.text('The scenario of new sandboxes.', 'free-plan'),
  }),
)

export const serverRoutes: readonly Route[] = [
  route({
    id: 'watchEvents',
    on: ['GET', '/events'],
    about: 'Streams server-sent events: a revision that grows with every change, and the newest request ids.',
    sandbox: 'none',
    answer: {
      about: 'The first event comes at once. The server drops readers that fall behind.',
      type: 'text/event-stream',
      schema: view.text('Events.', 'id: 42\ndata: {"revision":42,"newest":{"default":17}}\n\n'),
    },
    serve: ({ controls, waiting }) =>
      new Response(openEventStream(controls.emulator, waiting), {
        status: 200,
        headers: { 'Content-Type': 'text/event-stream' },
      }),
  }),
  route({
    id: 'getMetrics',
    on: ['GET', '/metrics'],
    about: 'Returns metrics of all sandboxes since the start, in the text format of Prometheus.',
    sandbox: 'none',
    answer: { about: 'The metrics.', type: 'text/plain' },
    serve: ({ controls: { emulator, version } }) =>
      text(writeExposition(metricFamilies(emulator, version)), expositionType),
  }),
  route({
    id: 'getHealth',
    on: ['GET', '/health'],
    about: 'Reports that the server is up.',
    sandbox: 'none',
    answer: { about: 'The server is up.', schema: healthView },
    serve: ({ controls: { version, emulator } }) =>
      json({ status: 'ok', name: 'pet-mock', version, scenario: emulator.sandboxes.scenario.name }),
  }),
]
