import * as z from 'zod'
import { banLengths, escalationFactors, quotas } from '../../../emulator/worlds/constraints.ts'
import { duration, instant, number, wholeNumber } from '../../files/shapes.ts'
import { field } from './field.ts'

/* The settings that decide what the specification leaves open (docs/assumptions.md). */

export const limitsSchema = z.strictObject({
  window: field(
    z.enum(['first-call', 'calendar']),
    "Windows open at the key's first call, or with each minute and day of UTC (A05).",
    {
      default: 'first-call',
      examples: ['calendar'],
    },
  ),
  headers: field(
    z.enum(['tightest', 'minute', 'day']),
    'The window that the X-RateLimit headers tell of (A06).',
    {
      default: 'tightest',
      examples: ['minute'],
    },
  ),
  countRefused: field(z.boolean(), 'Refused calls use quota, too (A07).', {
    default: false,
    examples: [true],
  }),
  retryAfter: field(z.enum(['seconds', 'http-date']), 'The form of Retry-After (A08).', {
    default: 'seconds',
    examples: ['http-date'],
  }),
  anonymous: field(
    z.enum(['report', 'enforce']),
    'Calls without a valid key: limits are told only, or lead to 429 (A04).',
    {
      default: 'report',
      examples: ['enforce'],
    },
  ),
})

const bans = z.strictObject({
  after: field(wholeNumber(quotas), 'The refused call that bans.', {
    default: 10,
    examples: [3],
  }),
  for: field(duration(banLengths), 'How long a ban is.', { default: '300s', examples: ['5m'] }),
  grace: field(duration(), 'Refusals this soon after the first one are not held against the key.', {
    default: '0s',
    examples: ['2s'],
  }),
  escalate: field(
    z.strictObject({
      factor: field(number(escalationFactors), 'Each ban is so many times as long as the one before.', {
        default: 2,
        examples: [2],
      }),
      max: field(duration(banLengths), 'No ban is longer than this.', { default: '24h', examples: ['1h'] }),
    }),
    'Each further ban is longer.',
    { examples: [{ factor: 2, max: '1h' }] },
  ),
  extend: field(z.boolean(), 'A call during a ban starts it anew.', { default: false, examples: [true] }),
  status: field(z.literal([429, 401, 403]), 'The status of calls during a ban.', {
    default: 429,
    examples: [403],
  }),
})

export const deprecationSchema = z.strictObject({
  since: field(instant(), 'The instant of deprecation; without it, no Deprecation header is sent.', {
    examples: ['2026-01-01T00:00:00Z'],
  }),
  removedAt: field(instant(), 'The instant of removal, told by Sunset.', {
    default: '2030-12-05T00:00:00Z',
    examples: ['2027-01-01T00:00:00Z'],
  }),
  after: field(z.literal([404, 410, 'keep']), 'What the operation answers from then on.', {
    default: 404,
    examples: [410],
  }),
  brownouts: field(
    z.array(
      z.strictObject({
        from: instant().meta({ description: 'The first instant.', examples: ['2026-03-02T09:00:00Z'] }),
        to: instant().meta({
          description: 'The first instant after it.',
          examples: ['2026-03-02T09:10:00Z'],
        }),
      }),
    ),
    'Times before the removal in which the operation already answers as if it were removed.',
    { examples: [[{ from: '2026-03-02T09:00:00Z', to: '2026-03-02T09:10:00Z' }]] },
  ),
})

export const bansSchema = z.union([z.literal('off'), bans.meta({ examples: [{ after: 3, for: '60s' }] })], {
  error: 'off or a map of fields',
})
