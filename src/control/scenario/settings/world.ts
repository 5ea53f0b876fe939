import { anyInstant, anyText, choices, flags, int64sOrDigits } from '../../../base/text/constraint.ts'
import {
  banLengths,
  callCounts,
  clockOffsets,
  clockScales,
  clockStarts,
  keyNames,
  petCounts,
  petIds,
  planNames,
  quotas,
  sharedRates,
} from '../../../emulator/worlds/constraints.ts'
import { petStatuses } from '../../../service/pets/pet.ts'
import { shippedPlans } from '../../../service/plans/plan.ts'
import { field, itemMap, list, map, names, required } from '../../fields/field.ts'
import { newPet } from '../../fixtures/shapes.ts'

/* What a world starts with: its clock, plans, keys and pets. */

export const quota = map({
  minute: field(quotas, 'Calls per minute.', [60]),
  day: field(quotas, 'Calls per day.', [1000]),
})

export const clock = map({
  at: field(clockStarts, 'Where the clock starts. Default: the current time.', ['2026-03-02T09:00:00Z']),
  offset: field(
    clockOffsets,
    'How far the clock is ahead of real time; with a minus, behind it. The clock runs.',
    ['3m', '-3m'],
  ),
  frozen: field(flags, 'Freezes the clock until it is moved.', [true], { default: false }),
  scale: field(clockScales, 'The speed of the clock: 30 is 30 times real time.', [30], { default: 1 }),
})

export const used = map({
  minute: field(callCounts, 'Calls already made in this minute.', [57], { default: 0 }),
  day: field(
    callCounts,
    'Calls already made today, this minute included. Default: those of this minute.',
    [412],
  ),
})

export const sharedUse = map({
  perMinute: required(
    sharedRates,
    'How many calls a minute the other client makes, evenly spread over time.',
    [12],
  ),
})

export const key = map({
  plan: field(
    anyText,
    "The key's plan. Required for a key that the fixtures do not have.",
    Object.keys(shippedPlans),
  ),
  used: field(used, "Calls already made, in windows that open at the key's first call.", [
    { minute: 57, day: 412 },
  ]),
  strikes: field(callCounts, 'Refused calls since the last accepted one. Must be below bans.after.', [9], {
    default: 0,
  }),
  banned: field(banLengths, 'How long the key is still banned.', ['90s']),
  revoked: field(flags, 'Revokes the key: its calls get 401.', [true], { default: false }),
  expires: field(anyInstant, 'When the key expires. From then on its calls get 401.', [
    '2026-03-02T09:30:00Z',
  ]),
  sharedUse: field(
    sharedUse,
    'Another client that uses the key at the same time. Its calls count in the open windows.',
    [{ perMinute: 12 }],
  ),
  limits: field(quota, "The key's own quota. It replaces that of its plan.", [{ minute: 5, day: 100 }]),
})

/** Beyond 2^53, clients may send digits as text. */
export const addedPet = itemMap({
  ...newPet.fields,
  categoryId: { ...newPet.fields.categoryId, shape: int64sOrDigits('a whole number of at most 64 bits') },
})

export const pets = map({
  count: field(
    petCounts,
    "The number of pets. The fixtures' pets come first; the rest are generated from the seed. Without a count, all fixtures are served, even more than 100.",
    [0, 10_000],
    { default: 100 },
  ),
  firstId: field(petIds, 'The id of the first pet. The others follow one by one.', [1000], { default: 1 }),
  gone: field(list(petIds), 'Ids of deleted pets: used up, and answered with 404.', [[13]]),
  add: field(list(addedPet), 'Pets to add after the others. They get the next ids.', [
    [{ name: 'Rex', categoryId: 1, status: 'pending' }],
  ]),
  defaultStatus: field(
    choices(...petStatuses),
    'The status of pets that are listed or created without one. Default: none.',
    ['available'],
    { assumption: 'A14' },
  ),
})

export const plans = { ...names(planNames, quota, { minute: 60, day: 1000 }), nullable: true }
export const keys = { ...names(keyNames, key, { plan: 'free' }), nullable: true }
