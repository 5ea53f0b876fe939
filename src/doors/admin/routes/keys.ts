import { readClock } from '../../../base/time/clock.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import { readStrikes, type Strikes } from '../../../service/bans/ban.ts'
import type { Key } from '../../../service/keys/key.ts'
import { readWindows, remaining } from '../../../service/limits/limiter.ts'
import { json } from '../routing/replies.ts'
import { choiceField } from '../routing/request-fields.ts'
import { command, type Route, route } from '../routing/route.ts'
import * as view from '../routing/views.ts'

const windows = (each: view.JsonSchema, description: string) => ({
  ...view.object({ minute: each, day: each }),
  description,
})
const counts = (description: string) => windows(view.of('integer'), description)

interface KeyNow {
  readonly key: Key
  readonly windows: ReturnType<typeof readWindows>
  readonly strikes: Readonly<Strikes>
  readonly banAfter: number | undefined
}

const each =
  <T>(read: (window: KeyNow['windows']['minute']) => T) =>
  ({ windows: { minute, day } }: KeyNow) => ({ minute: read(minute), day: read(day) })

const shown = view.answerOf<KeyNow>('Key', {
  key: [view.text('The API key.', 'demo-free'), ({ key }) => key.text],
  plan: [view.text("The key's plan.", 'free'), ({ key }) => key.plan],
  limits: [counts('Calls allowed in each window.'), each(({ limit }) => limit)],
  used: [counts('Calls made in each window.'), each(({ used }) => used)],
  remaining: [counts('Calls left in each window.'), each(remaining)],
  resets: [
    windows(view.orNull(view.instant()), 'When each window ends; null: the next call opens it.'),
    each(({ endsAt }) => instantOrNull(endsAt)),
  ],
  strikes: [view.count('Refused calls since the last accepted one.'), ({ strikes }) => strikes.count],
  banAfter: [
    view.orNull(view.count('How many strikes ban the key; null: bans are off.')),
    ({ banAfter }) => banAfter ?? null,
  ],
  bannedUntil: [
    view.orNull(view.instant('When the ban ends; null: the key is not banned.')),
    ({ strikes }) => instantOrNull(strikes.bannedUntil),
  ],
  revoked: [view.flag('Whether the key is revoked.'), ({ key }) => key.revoked],
  expires: [
    view.orNull(view.instant('When the key becomes invalid; null: never.')),
    ({ key }) => instantOrNull(key.expiresAt),
  ],
})

export const keyView = shown.schema

export function showKey(key: Key, { clock, scenario }: World, now: number) {
  const at = readClock(clock, now)
  const windows = readWindows(key.windows, key.quota, at)
  const { bans } = scenario.behaviour
  return shown.show({ key, windows, strikes: readStrikes(key.strikes, at, bans), banAfter: bans?.after })
}

function instantOrNull(instant: number | undefined): string | null {
  return instant === undefined ? null : formatInstant(instant)
}

const answer = {
  schema: shown.schema,
  show: ({ key }, { world, now }) => key && showKey(key, world, now),
} satisfies Partial<Parameters<typeof command>[0]>

export const keyRoutes: readonly Route[] = [
  route({
    id: 'listKeys',
    on: ['GET', '/keys'],
    about: 'Lists the API keys with their limits, counts and bans.',
    sandbox: 'one',
    query: {
      keys: choiceField(
        ['shown', 'masked'],
        'Whether the keys are masked, as in all other outputs. Default: shown.',
      ),
    },
    answer: { about: 'All keys.', schema: view.object({ keys: view.list(shown.schema) }) },
    serve: ({ world, now, query, controls }) => {
      const { maskKey } = controls.emulator.sandboxes.secrets
      const show = (key: Key) => {
        const state = showKey(key, world, now)
        return query.keys === 'masked' ? { ...state, key: maskKey(key.text) } : state
      }
      return json({ keys: [...world.keys.values()].map(show) })
    },
  }),
  route({
    id: 'listPlans',
    on: ['GET', '/plans'],
    about: 'Lists the plans that keys can have, with their limits.',
    sandbox: 'one',
    answer: {
      about: 'All plans.',
      schema: view.object({
        plans: view.list(
          view.object({
            name: view.text("The plan's name.", 'free'),
            limits: counts('Calls in each window.'),
          }),
        ),
      }),
    },
    serve: ({ world }) =>
      json({
        plans: Array.from(world.scenario.plans, ([name, { minute, day }]) => ({
          name,
          limits: { minute, day },
        })),
      }),
  }),
  command({ do: 'addKey', on: ['POST', '/keys'], about: 'The new key.', ...answer }),
  command({ do: 'changeKey', on: ['PATCH', '/keys/{key}'], about: 'The changed key.', ...answer }),
  command({ do: 'deleteKey', on: ['DELETE', '/keys/{key}'], about: 'The deleted key.', ...answer }),
  command({ do: 'banKey', on: ['POST', '/keys/{key}/ban'], about: 'The banned key.', ...answer }),
  command({
    do: 'unbanKey',
    on: ['POST', '/keys/{key}/unban'],
    about: 'The key without its ban.',
    ...answer,
  }),
]
