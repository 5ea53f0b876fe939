import * as z from 'zod'
import { readClock } from '../../../base/time/clock.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import { isBanned } from '../../../service/bans/ban.ts'
import type { Key } from '../../../service/keys/key.ts'
import { readWindows, remaining } from '../../../service/limits/limiter.ts'
import { changedWorld, command } from '../routing/command-route.ts'
import { json } from '../routing/replies.ts'
import { type Route, worldRoute } from '../routing/route.ts'
import { countView, instantView, orNull } from '../routing/shapes.ts'

const counts = (description: string) =>
  z.strictObject({ minute: z.int(), day: z.int() }).meta({ description })
const ends = z
  .strictObject({ minute: orNull(instantView()), day: orNull(instantView()) })
  .meta({ description: 'When each window ends; null: the next call opens it.' })

const keyView = z
  .strictObject({
    key: z.string().meta({ description: 'The API key.', examples: ['demo-free'] }),
    plan: z.string().meta({ description: "The key's plan.", examples: ['free'] }),
    limits: counts('Calls that it may make in each window.'),
    used: counts('Calls that it has made in each window.'),
    remaining: counts('Calls that it has left in each window.'),
    resets: ends,
    strikes: countView('Refused calls since the last accepted one.'),
    bannedUntil: orNull(instantView('When its ban ends; null: it is not banned.')),
    revoked: z.boolean().meta({ description: 'Whether it has been revoked.' }),
    expires: orNull(instantView('When it becomes invalid; null: never.')),
  })
  .meta({ id: 'Key' })

function showKey(key: Key, { clock }: World, now: number): z.infer<typeof keyView> {
  const at = readClock(clock, now)
  const { minute, day } = readWindows(key.windows, key.quota, at)
  const banned = isBanned(key.strikes, at)
  return {
    key: key.text,
    plan: key.plan,
    limits: { minute: minute.limit, day: day.limit },
    used: { minute: minute.used, day: day.used },
    remaining: { minute: remaining(minute), day: remaining(day) },
    resets: { minute: instantOrNull(minute.endsAt), day: instantOrNull(day.endsAt) },
    strikes: key.strikes.count,
    bannedUntil: instantOrNull(banned ? key.strikes.bannedUntil : undefined),
    revoked: key.revoked,
    expires: instantOrNull(key.expiresAt),
  }
}

function instantOrNull(instant: number | undefined): string | null {
  return instant === undefined ? null : formatInstant(instant)
}

type KeyCommandName = 'addKey' | 'changeKey' | 'deleteKey' | 'banKey' | 'unbanKey'

function keyCommand(name: KeyCommandName, method: Route['method'], path: string, about: string): Route {
  const isNew = name === 'addKey'
  return command({
    id: name,
    method,
    path,
    tag: 'Keys',
    do: name,
    refusals: isNew ? [] : ['not_found'],
    answer: { about, schema: keyView, status: isNew ? 201 : 200 },
    show: ({ key, sandboxes }, { controls, now }) =>
      key && showKey(key, changedWorld(controls, sandboxes), now),
  })
}

export const keyRoutes: readonly Route[] = [
  worldRoute({
    id: 'listKeys',
    method: 'GET',
    path: '/keys',
    tag: 'Keys',
    about: 'Lists the API keys, and how each stands.',
    answer: { about: 'All keys.', schema: z.strictObject({ keys: z.array(keyView) }) },
    serve: (world, { now }) => json({ keys: [...world.keys.values()].map(key => showKey(key, world, now)) }),
  }),
  keyCommand('addKey', 'POST', '/keys', 'The new key.'),
  keyCommand('changeKey', 'PATCH', '/keys/{key}', 'The key as it is now.'),
  keyCommand('deleteKey', 'DELETE', '/keys/{key}', 'The key as it was.'),
  keyCommand('banKey', 'POST', '/keys/{key}/ban', 'The key as it is now.'),
  keyCommand('unbanKey', 'POST', '/keys/{key}/unban', 'The key as it is now.'),
]
