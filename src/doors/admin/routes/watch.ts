import * as z from 'zod'
import { expositionType, writeExposition } from '../../../emulator/metrics/exposition.ts'
import { openEventStream } from '../routing/event-stream.ts'
import { families } from '../routing/metric-families.ts'
import { text } from '../routing/replies.ts'
import { type Route, route } from '../routing/route.ts'

export const watchRoutes: readonly Route[] = [
  route({
    id: 'watchEvents',
    method: 'GET',
    path: '/events',
    tag: 'Server',
    about:
      'Server-sent events of all sandboxes: a revision that grows with everything that happens, and, by sandbox, the id of the newest request where there is a newer one.',
    sandbox: 'none',
    answer: {
      about: 'The first event comes at once. A reader that does not keep up is dropped.',
      type: 'text/event-stream',
      schema: z.string().meta({ examples: ['id: 42\ndata: {"revision":42,"newest":{"default":17}}\n\n'] }),
    },
    serve: ({ controls, waiting }) =>
      new Response(openEventStream(controls.emulator, waiting), {
        status: 200,
        headers: { 'Content-Type': 'text/event-stream' },
      }),
  }),
  route({
    id: 'getMetrics',
    method: 'GET',
    path: '/metrics',
    tag: 'Server',
    about: 'What was counted since the start, over all sandboxes, in the text format of Prometheus.',
    sandbox: 'none',
    answer: { about: 'The metrics.', type: 'text/plain', schema: z.string() },
    serve: ({ controls: { emulator, version } }) =>
      text(writeExposition(families(emulator, version)), expositionType),
  }),
]
