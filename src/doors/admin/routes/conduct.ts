import { required } from '../../../control/fields/field.ts'
import { expectableIds } from '../../../judges/conduct/expected.ts'
import { judgeWorlds } from '../../../judges/conduct/judge-worlds.ts'
import { json, refusal } from '../routing/replies.ts'
import { choiceField, partOf, requestNumber } from '../routing/request-fields.ts'
import { type Route, route } from '../routing/route.ts'
import { finishInTurns } from '../routing/turns.ts'
import { conductReport, expectation } from './conduct-views.ts'

const findingIds = choiceField(expectableIds, '')

export const conductRoutes: readonly Route[] = [
  route({
    id: 'getConduct',
    readsJournal: true,
    on: ['GET', '/conduct'],
    about: 'Judges how clients behave, by the requests in the journal.',
    sandbox: 'any',
    query: {
      flights: choiceField(['true', 'false'], 'Whether to include the data of the charts. Default: false.'),
      request: requestNumber(
        'The id of a request. Only findings with this evidence, without their other evidence. Default: all findings.',
        17,
      ),
    },
    answer: { about: 'Findings, and the use of quotas.', schema: conductReport },
    serve: async ({ worlds, query, waiting, controls }) => {
      const { sandboxes } = controls.emulator
      const wanted = { flights: query.flights === 'true', request: query.request }
      return json(await finishInTurns(judgeWorlds(worlds, sandboxes, wanted), waiting))
    },
  }),
  route({
    id: 'expectFinding',
    readsJournal: true,
    on: ['POST', '/conduct/expected'],
    about: 'Expects a finding in the sandbox from now on, until it restarts or is dropped.',
    sandbox: 'named',
    body: partOf({
      id: { ...required(findingIds.shape, 'The id of the finding.', ['banned']), read: String },
    }),
    answer: { about: 'The expectation.', status: 201, schema: expectation },
    serve: ({ controls, sandbox, now, body: { id } }) => {
      if (sandbox === '*')
        return refusal('invalid_parameter', 'sandbox: expected the name of one sandbox, found "*".')
      const { sandboxes } = controls.emulator
      const name = sandbox ?? sandboxes.default.sandbox
      // A test may expect a finding before the first call, which creates its sandbox.
      controls.change(name, { do: 'createSandbox', name }, now)
      const next = sandboxes.get(name)?.nextExchange ?? 1
      const { from } = sandboxes.expectations.expect(name, id, next)
      return json({ id, sandbox: name, from }, 201)
    },
  }),
]
