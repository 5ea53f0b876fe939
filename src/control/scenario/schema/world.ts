import * as z from 'zod'
import {
  banLengths,
  callCounts,
  clockScales,
  clockStarts,
  petCounts,
  petIds,
  planNames,
  quotas,
} from '../../../emulator/worlds/constraints.ts'
import { petStatuses } from '../../../service/pets/pet.ts'
import { duration, instant, int64, number, text, wholeNumber } from '../../files/shapes.ts'
import { keyNameSchema, newPetSchema } from '../../fixtures/schema.ts'
import { field } from './field.ts'

/* What there is when a world starts: its clock, plans, keys and pets. */

const quota = z.strictObject({
  minute: field(wholeNumber(quotas), 'Calls in a minute.', { examples: [60] }),
  day: field(wholeNumber(quotas), 'Calls in a day.', { examples: [1000] }),
})

export const clockSchema = z.strictObject({
  at: field(instant(clockStarts), 'Where the clock starts. Without it: at real time.', {
    examples: ['2026-03-02T09:00:00Z'],
  }),
  frozen: field(z.boolean(), 'The clock stands still until it is moved.', {
    default: false,
    examples: [true],
  }),
  scale: field(
    number(clockScales),
    'How many times as fast as real time the clock runs, up to a day each second.',
    { default: 1, examples: [30] },
  ),
})

export const keySchema = z.strictObject({
  plan: field(z.string(), "The key's plan. Must be given for a key that is not among the fixtures.", {
    examples: ['free', 'pro', 'business', 'enterprise'],
  }),
  used: field(
    z.strictObject({
      minute: field(wholeNumber(callCounts), 'Calls already made this minute.', {
        default: 0,
        examples: [57],
      }),
      day: field(
        wholeNumber(callCounts),
        'Calls already made this day, those of this minute included. Without it: those of this minute.',
        {
          examples: [412],
        },
      ),
    }),
    "Calls already made, in windows that open at the key's first call.",
    { examples: [{ minute: 57, day: 412 }] },
  ),
  strikes: field(
    wholeNumber(callCounts),
    'Refused calls since the last accepted one, fewer than bans.after, at which the key is banned.',
    {
      default: 0,
      examples: [9],
    },
  ),
  banned: field(duration(banLengths), 'How long the key is still banned.', { examples: ['90s'] }),
  revoked: field(z.boolean(), 'The key has been revoked: 401.', { default: false, examples: [true] }),
  expires: field(instant(), 'The instant from which the key is invalid: 401.', {
    examples: ['2026-03-02T09:30:00Z'],
  }),
  limits: field(quota, "The key's own quota, in place of its plan's.", {
    examples: [{ minute: 5, day: 100 }],
  }),
})

export const petsSchema = z.strictObject({
  count: field(
    wholeNumber(petCounts),
    "How many pets there are: the fixtures' pets first, made up to this many from the seed. Without it, 100, or all of the fixtures'; fewer than these leaves the last of them out.",
    { default: 100, examples: [0, 10_000] },
  ),
  firstId: field(int64(petIds), "The first pet's id; the others follow one by one.", {
    default: 1,
    examples: [1000],
  }),
  gone: field(
    z.array(int64(petIds)),
    'Ids whose pets were there and are gone: they are used up, and GET answers 404.',
    { examples: [[13]] },
  ),
  add: field(z.array(newPetSchema), 'Pets that come after the others and get the next ids.', {
    examples: [[{ name: 'Rex', categoryId: 1, status: 'pending' }]],
  }),
  defaultStatus: field(
    z.enum(petStatuses),
    'The status of a pet that is given none, here or in a POST. Without it: none (A14).',
    {
      examples: ['available'],
    },
  ),
})

export const plansSchema = z.record(
  text(planNames),
  quota.meta({ examples: [{ minute: 60, day: 1000 }] }).nullable(),
)

export const keysSchema = z.record(keyNameSchema, keySchema.meta({ examples: [{ plan: 'free' }] }).nullable())
