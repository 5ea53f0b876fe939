import { readClock } from '../../../base/time/clock.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import { situationOf } from '../../../control/situation/situation.ts'
import { refusal, text } from '../routing/replies.ts'
import { type Route, route } from '../routing/route.ts'

const tooMany =
  'Too many pets of this sandbox differ from generated ones to write them out. Take a snapshot instead.'

export const situationRoute: Route = route({
  id: 'getSituation',
  on: ['GET', '/situation.yaml'],
  about: 'Returns the present state of the sandbox as a scenario file.',
  sandbox: 'one',
  answer: { about: 'A scenario file.', type: 'application/yaml' },
  serve: async ({ controls: { fixtures }, world, now }) => {
    const file = situationOf(world, now, fixtures)
    if (file === undefined) return refusal('invalid_parameter', tooMany)
    const { writeSituation } = await import('../../../control/situation/write-situation.ts')
    const at = formatInstant(readClock(world.clock, now))
    const about = `The state of a pet-mock at ${at}. Open windows start anew at the first call of their key.`
    return text(writeSituation(file, about), 'application/yaml', {
      'Content-Disposition': 'attachment; filename="situation.yaml"',
    })
  },
})
