import * as z from 'zod'
import { isObject } from '../../../base/json/is-object.ts'
import { anyInt64, wholeNumbers } from '../../../base/text/constraint.ts'
import { parseInstant } from '../../../base/time/instant.ts'
import { clockScales, sandboxNames } from '../../../emulator/worlds/constraints.ts'
import { petStatuses } from '../../../service/pets/pet.ts'
import { expectation } from '../../files/expectation.ts'
import { int64OrDigits, number, wholeNumber } from '../../files/shapes.ts'
import type { SandboxesSnapshot, Snapshot, WorldSnapshot } from '../../snapshot/saved.ts'
import { snapshotVersion } from '../../snapshot/saved.ts'
import { ruleSchema, savedRulesSchema } from './saved-rules.ts'

const int64 = int64OrDigits(anyInt64)
const text = z.string()
const count = z.int().gte(0, { error: '0 or more' })
const quota = { minute: count, day: count }
const ms = z.number().gte(0, { error: '0 or more' })
const milliseconds = 'milliseconds since the epoch, in the years 0 to 9999'
const instant = z
  .number()
  .gte(parseInstant('0000-01-01') ?? 0, { error: milliseconds })
  .lte(parseInstant('9999-12-31T23:59:59.999Z') ?? 0, { error: milliseconds })
const scale = z.union([z.literal(0), number(clockScales)], { error: clockScales.expected })
const sandboxName = text.regex(sandboxNames.pattern, { error: sandboxNames.expected })
/** So many may still follow that nobody will see the last one that a number can hold. */
const exchangeIds = wholeNumbers('a whole number from 1 to 2^52', 1, 2 ** 52)
const exchangeId = wholeNumber(exchangeIds)
const version = z.literal(snapshotVersion)

const petList = {
  firstId: int64,
  nextId: int64,
  list: z.array(
    z.strictObject({ id: int64, name: text, categoryId: int64, status: z.enum(petStatuses).optional() }),
  ),
}

const behaviour = z.strictObject({
  limits: z.strictObject({
    window: z.enum(['first-call', 'calendar']),
    headers: z.enum(['tightest', 'minute', 'day']),
    countRefused: z.boolean(),
    retryAfter: z.enum(['seconds', 'http-date']),
    anonymous: z.enum(['report', 'enforce']),
  }),
  bans: z
    .strictObject({
      after: count,
      forMs: ms,
      graceMs: ms,
      escalate: z.strictObject({ factor: z.number().gte(1), maxMs: ms }).optional(),
      extend: z.boolean(),
      status: z.literal([429, 401, 403]),
    })
    .optional(),
  pageSize: z.enum(['reject', 'clamp']),
  pagination: z.enum(['link', 'none']),
  defaultStatus: z.enum(petStatuses).optional(),
  deprecation: z.strictObject({
    since: instant.optional(),
    removedAt: instant,
    after: z.literal([404, 410, 'keep']),
    brownouts: z.array(z.strictObject({ from: instant, to: instant })),
  }),
})

const scenario = z.strictObject({
  name: text,
  title: text,
  description: text.optional(),
  key: text,
  seed: count,
  reset: z.boolean(),
  clock: z.strictObject({ at: instant.optional(), scale }),
  plans: z.array(z.strictObject({ name: text, ...quota })),
  keys: z.array(
    z.strictObject({
      text,
      plan: text,
      quota: z.strictObject(quota),
      used: z.strictObject(quota),
      strikes: count,
      bannedForMs: ms.optional(),
      revoked: z.boolean(),
      expiresAt: instant.optional(),
    }),
  ),
  orders: text,
  rules: z.array(ruleSchema),
  behaviour,
  pets: z.strictObject(petList),
})

const openWindow = z.strictObject({ opensAt: instant.optional(), used: count, openedBy: count.optional() })
const windows = z.strictObject({ minute: openWindow, day: openWindow })

const world = {
  clock: z.strictObject({ at: instant, wall: instant, scale }),
  keys: z.array(
    z.strictObject({
      text,
      plan: text,
      quota: z.strictObject(quota),
      revoked: z.boolean(),
      expiresAt: instant.optional(),
      windows,
      strikes: z.strictObject({
        count,
        firstAt: instant.optional(),
        bannedUntil: instant.optional(),
        bans: count,
      }),
    }),
  ),
  anonymous: z.array(z.strictObject({ client: text, windows })),
  rules: savedRulesSchema,
  firstExchange: exchangeId,
  nextExchange: exchangeId,
  records: z.array(z.strictObject({ path: text, nextId: int64, list: text })).optional(),
  pets: z.strictObject({ startsFrom: z.enum(['scenario', 'nothing']), gone: z.array(int64), ...petList }),
}

const worldSnapshot = z.strictObject({ version, scenario, ...world })

const sandboxesSnapshot = z.strictObject({
  version,
  startsFrom: count,
  dropped: z.array(z.strictObject({ name: sandboxName, nextExchange: exchangeId })),
  scenarios: z.array(scenario),
  sandboxes: z.array(
    z.strictObject({
      name: sandboxName,
      scenario: count,
      ...world,
    }),
  ),
})

/** What is missing in JSON is undefined in the types. */
export const worldSnapshotSchema = worldSnapshot as unknown as z.ZodType<WorldSnapshot>
export const sandboxesSnapshotSchema = sandboxesSnapshot as unknown as z.ZodType<SandboxesSnapshot>

/**
 * A snapshot, which pet-mock writes and others carry: what comes back is read as anything from outside is. An editor
 * is told only that it is a map, since nobody writes one by hand.
 */
export const snapshotSchema = z
  .custom<Snapshot>(isObject, {
    error: 'a snapshot, as it was taken',
  })
  .superRefine((value, context) => {
    const { error } = schemaFor(value).safeParse(value, { error: expectation })
    for (const issue of error?.issues ?? []) {
      if (issue.code === 'unrecognized_keys') {
        for (const name of issue.keys)
          context.addIssue({ code: 'custom', path: [...issue.path, name], message: 'no field of that name' })
      } else context.addIssue({ code: 'custom', path: issue.path, message: issue.message })
    }
  })
  .meta({ type: 'object', description: 'A snapshot, as it was taken.', examples: [{ version: 1 }] })

/** Of another version nothing else can be said. */
function schemaFor(value: object): z.ZodType {
  const told = 'version' in value && typeof value.version === 'number' ? value.version : snapshotVersion
  if (told !== snapshotVersion) return z.looseObject({ version: z.literal(1, { error: otherVersion(told) }) })
  return 'sandboxes' in value ? sandboxesSnapshot : worldSnapshot
}

/** What is expected in the place of another version, and why it is not read. */
export function otherVersion(version: number): string {
  if (version < snapshotVersion) return `${snapshotVersion}`
  return `${snapshotVersion}, the newest that this pet-mock reads: update it, since a newer one has written this`
}
