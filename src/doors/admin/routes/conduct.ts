import * as z from 'zod'
import { judgeWorlds } from '../../../judges/conduct/judge-worlds.ts'
import { json } from '../routing/replies.ts'
import { type Route, route } from '../routing/route.ts'
import { findWorlds } from '../routing/sandbox.ts'
import { conductReport } from './conduct-shapes.ts'

export const conductRoutes: readonly Route[] = [
  route({
    id: 'getConduct',
    method: 'GET',
    path: '/conduct',
    tag: 'Requests',
    about:
      'Judges how the clients behaved, by the requests that are in the journal: who retried too early, was banned, or calls what will be removed.',
    sandbox: 'any',
    query: {
      flights: z
        .enum(['true', 'false'])
        .meta({ description: 'Whether to send what pictures of the calls are drawn from. Default: false.' })
        .optional(),
    },
    answer: { about: 'What was found, and what was used.', schema: conductReport },
    refusals: ['not_found'],
    serve: ({ controls, sandbox, query }) => {
      const worlds = findWorlds(controls.emulator.sandboxes, sandbox)
      return worlds instanceof Response ? worlds : json(judgeWorlds(worlds, query.flights === 'true'))
    },
  }),
]
