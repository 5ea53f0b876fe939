import * as z from 'zod'
import { json } from '../routing/replies.ts'
import { type Route, route } from '../routing/route.ts'

const healthView = z
  .strictObject({
    status: z.literal('ok'),
    name: z.literal('pet-mock').meta({ description: 'What this server is: by this it is told from others.' }),
    version: z.string().meta({ examples: ['0.1.0'] }),
    scenario: z.string().meta({ description: 'What new sandboxes start from.', examples: ['free-plan'] }),
  })
  .meta({ id: 'Health' })

export const serverRoutes: readonly Route[] = [
  route({
    id: 'getHealth',
    method: 'GET',
    path: '/health',
    tag: 'Server',
    about: 'Tells that the server is up, and what it is.',
    sandbox: 'none',
    answer: { about: 'It is.', schema: healthView },
    serve: ({ controls: { version, emulator } }) =>
      json({ status: 'ok', name: 'pet-mock', version, scenario: emulator.sandboxes.scenario.name }),
  }),
]
