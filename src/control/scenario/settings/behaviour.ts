import { anyDuration, anyInstant, choices, flags } from '../../../base/text/constraint.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import { banLengths, escalationFactors, quotas } from '../../../emulator/worlds/constraints.ts'
import { defaultDeprecationSettings } from '../../../service/deprecation/deprecation.ts'
import { hostileForms, legalForms } from '../../../service/limits/retry-after.ts'
import { either, field, itemMap, list, map, required } from '../../fields/field.ts'

/* The settings that decide what the specification leaves open (docs/assumptions.md). */

const retryAfterForm = choices(...legalForms, ...hostileForms)

export const limits = map({
  anonymous: field(
    choices('report', 'enforce'),
    'Whether calls without a valid key only report their limits, or get 429 beyond them.',
    ['enforce'],
    { default: 'report', assumption: 'A04' },
  ),
  window: field(
    choices('first-call', 'calendar'),
    "When windows open: at the key's first call, or with each minute and day of UTC.",
    ['calendar'],
    { default: 'first-call', assumption: 'A05' },
  ),
  headers: field(
    choices('tightest', 'minute', 'day'),
    'The window that the X-RateLimit headers describe.',
    ['minute'],
    { default: 'tightest', assumption: 'A06' },
  ),
  dialect: field(
    choices('x-ratelimit', 'ietf', 'both'),
    'The limit headers: those of the specification (X-RateLimit), those of an IETF draft (RateLimit, RateLimit-Policy), or both. The service promises only the first.',
    ['both'],
    { default: 'x-ratelimit', assumption: 'A06' },
  ),
  countRefused: field(flags, 'Refused calls use quota too.', [true], { default: false, assumption: 'A07' }),
  retryAfter: field(
    either(
      `${retryAfterForm.expected}, or a list of these`,
      retryAfterForm,
      list(retryAfterForm, 'at least one form'),
    ),
    'The form of Retry-After. With a list, each refusal of a key has the next form.',
    ['http-date', ['seconds', 'rfc850-date']],
    { default: 'seconds', assumption: 'A08' },
  ),
})

export const escalation = map({
  factor: field(escalationFactors, 'Multiplies the length of each further ban.', [2], { default: 2 }),
  max: field(banLengths, 'The longest ban.', ['1h'], { default: '24h' }),
})

export const banFields = map({
  after: field(quotas, 'The number of refused calls that leads to a ban.', [3], { default: 10 }),
  for: field(banLengths, 'The length of a ban.', ['5m'], { default: '300s' }),
  grace: field(anyDuration, 'Refused calls this soon after the first one do not count.', ['2s'], {
    default: '0s',
  }),
  escalate: field(escalation, 'Makes each further ban longer.', [{ factor: 2, max: '1h' }]),
  extend: field(flags, 'A call during a ban restarts the ban.', [true], { default: false }),
  status: field(choices(429, 401, 403), 'The status of calls during a ban.', [403], { default: 429 }),
})

export const bans = either('off or a map of fields', choices('off'), banFields)

export const pageSize = field(
  choices('reject', 'clamp'),
  'A `limit` outside 1 to 100: answer 400, or use the nearest value in range.',
  ['clamp'],
  { default: 'reject', assumption: 'A12' },
)

export const pagination = field(
  choices('link', 'none'),
  'Whether a list has a Link header to its next page.',
  ['none'],
  { default: 'link', assumption: 'A15' },
)

export const brownout = itemMap({
  from: required(anyInstant, 'The start.', ['2026-03-02T09:00:00Z']),
  to: required(anyInstant, 'The end.', ['2026-03-02T09:10:00Z']),
})

export const deprecation = map({
  since: field(anyInstant, 'The instant of deprecation. Default: none, so no Deprecation header is sent.', [
    '2026-01-01T00:00:00Z',
  ]),
  removedAt: field(anyInstant, 'The instant of removal, sent as Sunset.', ['2027-01-01T00:00:00Z'], {
    default: formatInstant(defaultDeprecationSettings.removedAt),
  }),
  after: field(choices(404, 410, 'keep'), 'The status after the removal; keep removes nothing.', [410], {
    default: defaultDeprecationSettings.after,
  }),
  brownouts: field(list(brownout), 'Times before the removal when the operation answers as if removed.', [
    [{ from: '2026-03-02T09:00:00Z', to: '2026-03-02T09:10:00Z' }],
  ]),
})
