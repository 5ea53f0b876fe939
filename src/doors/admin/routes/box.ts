import { formatInstant } from '../../../base/time/instant.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import { BoxError } from '../../../judges/box/read-box.ts'
import type { BrowsedBox, ListedCall } from '../../../judges/box/runs/browse-box.ts'
import { json, refusal } from '../routing/replies.ts'
import { needed, numbersOrDigits, optional, partOf } from '../routing/request-fields.ts'
import { type Route, type RouteRequest, route } from '../routing/route.ts'
import * as view from '../routing/views.ts'
import { clockView, showClock } from './clock.ts'
import { keyView, showKey } from './keys.ts'
import { explainedRequest } from './request-views.ts'
import { explainRequest } from './requests.ts'
import { ruleView, showRule } from './rules.ts'

const numbers = numbersOrDigits('the number of a call', 1, Number.MAX_SAFE_INTEGER)
const number = needed(numbers, Number, 'The number of a call, or of the one after the last.', 37)

/** Calls of one answer. */
const mostCalls = 20_000
/** Keys and pets that a person reads. */
const mostShown = 20

const listed = view.answerOf<ListedCall>('BoxCall', {
  number: [view.count('Its number in the box.'), ({ number }) => number],
  at: [view.instant('Real time.'), ({ call }) => formatInstant(call.receivedAt)],
  method: [view.anyText, ({ call }) => call.method],
  target: [view.text('Path and query, as sent.'), ({ call }) => call.target],
  sandbox: [view.anyText, ({ effect }) => effect.sandbox ?? 'default'],
  id: [view.orNull(view.count("The request's id in its sandbox.")), ({ effect }) => effect.id ?? null],
  status: [view.orNull(view.of('integer')), ({ effect }) => effect.status ?? null],
})

const state = view.answerOf<{ readonly world: World; readonly now: number }>('BoxWorld', {
  sandbox: [view.anyText, ({ world }) => world.sandbox],
  clock: [clockView, ({ world, now }) => showClock(world, now)],
  keys: [
    view.list(keyView, `The keys that were used or banned, at most ${mostShown}.`),
    ({ world, now }) =>
      Array.from(world.keys.values())
        .filter(({ windows, strikes }) => windows.day.used > 0 || strikes.count > 0 || strikes.bans > 0)
        .slice(0, mostShown)
        .map(key => showKey(key, world, now)),
  ],
  rules: [
    view.list(ruleView),
    ({ world, now }) => world.rules.list().map(rule => showRule(rule, world, now)),
  ],
  pets: [view.count('Pets in the store.'), ({ world }) => world.pets.size],
  petChanges: [
    view.list(
      view.text('For people.', 'pet 101 Rex'),
      `How pets differ from the scenario, at most ${mostShown}.`,
    ),
    ({ world: { pets, scenario } }) =>
      Array.from(pets.differences(scenario.pets), ({ id, pet }) =>
        pet === undefined ? `pet ${id} is deleted` : ['pet', id, pet.name, pet.status].join(' ').trim(),
      ).slice(0, mostShown),
  ],
})

/** Serves a call with the box that `pet-mock box open` opened. */
const withBox =
  <P, Q, B>(serve: (box: BrowsedBox, request: RouteRequest<P, Q, B>) => Promise<Response>) =>
  async (request: RouteRequest<P, Q, B>): Promise<Response> => {
    const { opened } = request.controls
    if (opened === undefined)
      return refusal(
        'not_found',
        'This server was not opened from a box. Start one with pet-mock box open FILE.',
      )
    try {
      return await serve(opened, request)
    } catch (error) {
      if (error instanceof BoxError) return refusal('not_found', `T${error.message.slice(1)}.`)
      throw error
    }
  }

export const boxRoutes: readonly Route[] = [
  route({
    id: 'listBoxCalls',
    on: ['GET', '/box/calls'],
    about: 'Lists the calls of the opened box.',
    sandbox: 'none',
    query: { from: optional(numbers, Number, `Only calls from this number on, at most ${mostCalls}.`, 37) },
    refusals: ['not_found'],
    answer: {
      about: 'The calls.',
      schema: view.object({
        calls: view.list(listed.schema),
        end: view.count('The number after that of the last call.'),
        served: view.count('The served worlds were those before this call.'),
      }),
    },
    serve: withBox(async ({ calls, end, served }, { query: { from = 0 } }) => {
      const start = Math.max(0, from - (calls[0]?.number ?? 1))
      return json({ calls: calls.slice(start, start + mostCalls).map(listed.show), end, served: served() })
    }),
  }),
  route({
    id: 'getBoxCall',
    on: ['GET', '/box/calls/{number}'],
    about: 'Returns the world before a call, and explains the call.',
    sandbox: 'none',
    params: { number },
    refusals: ['not_found'],
    answer: {
      about: 'The call.',
      schema: view.object({
        world: state.schema,
        changes: view.list(view.anyText, 'What changed worlds since the call before.'),
        isSame: {
          type: ['boolean', 'null'],
          description: 'Whether the run had this response; null: not compared.',
        },
        request: { anyOf: [explainedRequest, view.of('null')] },
      }),
    },
    serve: withBox(async (box, { params }) => {
      const looked = await box.look(params.number, (world, now) => state.show({ world, now }))
      const { state: world, played: { exchange, isSame = null } = {}, sandboxes, changes } = looked
      const after = exchange && sandboxes.get(exchange.sandbox)
      const request = after ? explainRequest(exchange, after, sandboxes, sandboxes.secrets) : null
      return json({ world, changes, isSame, request })
    }),
  }),
  route({
    id: 'serveBoxCall',
    on: ['POST', '/box/at'],
    about: 'Serves the worlds before a call, with frozen clocks.',
    sandbox: 'none',
    body: partOf({ number }),
    refusals: ['not_found'],
    answer: { about: 'Where the worlds are now.', schema: view.object({ served: view.count('As asked.') }) },
    serve: withBox(async (box, { body }) => {
      await box.serve(body.number)
      return json({ served: box.served() })
    }),
  }),
]
