import * as z from 'zod'
import { clockScales } from '../emulator/constraints.ts'
import type { WorldSnapshot } from '../emulator/saved-world.ts'
import { anyInt64 } from '../files/constraint.ts'
import { expectation } from '../files/expectation.ts'
import { int64OrDigits, number } from '../files/shapes.ts'
import { petStatuses } from '../pets/pet.ts'
import { savedRulesSchema } from './schema-saved-rules.ts'

const int64 = int64OrDigits(anyInt64)
const instant = z.number()
const count = z.int().gte(0)
const openWindow = z.strictObject({ opensAt: instant.optional(), used: count, openedBy: count.optional() })
const windows = z.strictObject({ minute: openWindow, day: openWindow })

const world = z.strictObject({
  version: z.literal(1),
  scenario: z.string(),
  clock: z.strictObject({
    at: instant,
    wall: instant,
    scale: z.union([z.literal(0), number(clockScales)], { error: clockScales.expected }),
  }),
  pets: z.strictObject({
    firstId: int64,
    nextId: int64,
    list: z.array(
      z.strictObject({
        id: int64,
        name: z.string(),
        categoryId: int64,
        status: z.enum(petStatuses).optional(),
      }),
    ),
  }),
  keys: z.array(
    z.strictObject({
      text: z.string(),
      plan: z.string(),
      quota: z.strictObject({ minute: count, day: count }),
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
  anonymous: z.array(z.strictObject({ client: z.string(), windows })),
  rules: savedRulesSchema,
  nextExchange: count,
})

/**
 * A snapshot, which pet-mock writes and others carry: what comes back is read as anything from outside is. An editor
 * is told only that it is a map, since nobody writes one by hand.
 */
export const snapshotSchema = z
  .custom<WorldSnapshot>(value => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'a snapshot, as it was taken',
  })
  .superRefine((value, context) => {
    const { error } = world.safeParse(value, { error: expectation })
    for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message })
  })
  .meta({ type: 'object', description: 'A snapshot, as it was taken.', examples: [{ version: 1 }] })
