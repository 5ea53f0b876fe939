import { expositionType, writeExposition } from '../../../emulator/metrics/exposition.ts'
import { unpackBox } from '../../../judges/box/pack-box.ts'
import { describePlane } from '../description/openapi.ts'
import { publicHealth } from '../routing/address.ts'
import { openEventStream } from '../routing/event-stream.ts'
import { metricFamilies } from '../routing/metric-families.ts'
import { asSentence, json, refusal, write } from '../routing/replies.ts'
import { choiceField } from '../routing/request-fields.ts'
import { type Route, type RouteGroup, route } from '../routing/route.ts'
import * as view from '../routing/views.ts'

const startExample = '0f8fad5b-d9cb'
const eventExample = `id: ${startExample}-42\ndata: {"start":"${startExample}","revision":42,"changes":25,"newest":{"default":17}}\n\n`

const healthView = view.named(
  'Health',
  {
    status: view.choice(['ok']),
    name: view.choice(['pet-mock'], 'Identifies the server.'),
    start: view.text('Names this run of the server: another id means a restart.', startExample),
  },
  {
    version: view.of('string', 'The version of pet-mock.', '1.0.0-rc.1'),
    scenario: view.text('The scenario of new sandboxes.', 'free-plan'),
    snapshotLimit: view.count('Bytes of the largest snapshot that `PUT snapshot` accepts.'),
    box: view.choice(['recorded', 'opened'], 'Whether the server records a box, or was opened from one.'),
  },
)

const savedView = view.named('SavedState', {
  file: view.text('The path of the state file.', '/home/me/pets.json'),
  bytes: view.count('Its size.'),
})

/** `groups`: all routes, for the plane's own description. */
export function serverRoutes(groups: () => readonly RouteGroup[]): readonly Route[] {
  return [
    route({
      id: 'saveState',
      on: ['POST', '/state/save'],
      about:
        'Saves the state to the file of --state. Returns when the effects of all earlier calls are on disk.',
      sandbox: 'none',
      refusals: ['state_off', 'state_not_saved'],
      answer: { about: 'The saved file.', schema: savedView },
      serve: async ({ controls: { saveState } }) => {
        if (saveState === undefined)
          return refusal('state_off', 'This server saves no state. Start it with --state FILE.')
        const saved = await saveState()
        if (!saved.ok) return refusal('state_not_saved', asSentence(saved.problem))
        const { file, bytes } = saved
        return json({ file, bytes })
      },
    }),
    route({
      id: 'getBox',
      on: ['GET', '/box'],
      about: 'Returns the run of this server so far, as a box for `pet-mock box open FILE`.',
      sandbox: 'named',
      usualSandbox: '*',
      query: { as: choiceField(['file', 'lines'], 'The file, or its lines as text. Default: file.') },
      refusals: ['not_found'],
      answer: { about: 'A box.', type: 'application/gzip' },
      serve: async ({ controls: { copyBox }, query, sandbox = '*' }) => {
        if (copyBox === undefined)
          return refusal(
            'not_found',
            'This server records no box. Start it with --box FILE, or a mock with the option box.',
          )
        const box = await copyBox(sandbox)
        if (query.as === 'lines') return write(await unpackBox(box), 'application/x-ndjson')
        const headers = {
          'Content-Type': 'application/gzip',
          'Content-Disposition': 'attachment; filename="run.petbox"',
        }
        return new Response(new Blob([...box]), { headers })
      },
    }),
    route({
      id: 'watchEvents',
      on: ['GET', '/events'],
      about:
        'Streams server-sent events: the run of the server, a revision that grows with every change, the changes that no call made, and the newest request ids.',
      sandbox: 'none',
      answer: {
        about: 'The first event comes at once. The server drops readers that fall behind.',
        type: 'text/event-stream',
        schema: view.text('Events.', eventExample),
      },
      serve: ({ controls, waiting }) =>
        new Response(openEventStream(controls, waiting), {
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
        write(writeExposition(metricFamilies(emulator, version)), expositionType),
    }),
    route({
      id: 'getHealth',
      on: ['GET', '/health'],
      about:
        'Reports that the server is up. A caller without the required token sees only `status`, `name` and `start`.',
      sandbox: 'none',
      answer: { about: 'The server is up.', schema: healthView },
      serve: ({ controls: { version, start, emulator, snapshotLimit, copyBox, opened } }) => {
        const box = opened === undefined ? copyBox && 'recorded' : 'opened'
        const { name: scenario } = emulator.sandboxes.scenario
        return json({ ...publicHealth(start), version, scenario, snapshotLimit, ...(box && { box }) })
      },
    }),
    route({
      id: 'getContract',
      on: ['GET', '/contract.json'],
      about: 'Returns the contract of the API, with the operations of `--openapi`, in OpenAPI 3.1.',
      sandbox: 'none',
      answer: { about: 'An OpenAPI document.', schema: view.of('object') },
      serve: async ({ controls, origin }) => {
        const contract = await controls.contract()
        return write(await contract(`${origin}/v1`), 'application/json')
      },
    }),
    route({
      id: 'getDescription',
      on: ['GET', '/openapi.json'],
      about: 'Returns the OpenAPI 3.1 description of the admin plane.',
      sandbox: 'none',
      answer: { about: 'An OpenAPI document.', schema: view.of('object') },
      serve: ({ controls: { version } }) => json(describePlane(groups(), version)),
    }),
  ]
}
