import { anyDuration, anyInstant, anyText, choices, flags } from '../../../base/text/constraint.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import { banLengths, errorCodes, escalationFactors, quotas } from '../../../emulator/worlds/constraints.ts'
import { apiCodes } from '../../../service/call/problems.ts'
import { defaultDeprecationSettings } from '../../../service/deprecation/deprecation.ts'
import { usualNames } from '../../../service/limits/limit-headers.ts'
import { hostileForms, legalForms, resetForms } from '../../../service/limits/retry-after.ts'
import { operationIds } from '../../../service/operations/operations.ts'
import { anyJson, either, field, itemMap, list, map, names, required } from '../../fields/field.ts'
import { delays, extraHeaders, extraMembers, headerValues, limitHeaders } from './texts.ts'

/* The settings that decide what the specification leaves open (docs/assumptions.md). */

const retryAfterForm = choices(...legalForms, ...hostileForms)
const retryAfterForms = list(retryAfterForm, 'at least one form')

const ofError = extraMembers(['code', 'message', 'status'], ' (see errors.NAME.code and errors.NAME.message)')
const ofPet = extraMembers(['id', 'name', 'categoryId', 'status'])

const headerName = (usual: string, what: string) =>
  field(limitHeaders, `The name of the header with ${what}; off leaves the header out.`, ['off'], {
    default: usual,
    samples: ['off', usual.replace('RateLimit', 'Sample')],
  })

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
  countInvalid: field(flags, 'Calls that get 400 or 404 use quota too.', [false], {
    default: true,
    assumption: 'A03',
  }),
  names: field(
    map({
      limit: headerName(usualNames.limit, 'the limit'),
      remaining: headerName(usualNames.remaining, 'the calls left'),
      reset: headerName(usualNames.reset, 'the reset'),
    }),
    'The names of the X-RateLimit headers.',
    [{ reset: 'off' }],
    { assumption: 'A06' },
  ),
  reset: field(
    choices(...resetForms),
    'The form of X-RateLimit-Reset: seconds since 1970, milliseconds since 1970, the seconds left, or a date.',
    ['seconds'],
    { default: 'epoch', assumption: 'A08' },
  ),
  retryAfter: field(
    either(`${retryAfterForm.expected}, or a list of these`, retryAfterForm, retryAfterForms),
    'The form of Retry-After. With a list, each refusal of a key has the next form.',
    ['http-date', ['seconds', 'rfc850-date']],
    { default: 'seconds', assumption: 'A08', samples: legalForms.slice(1) },
  ),
})

export const escalation = map({
  factor: field(escalationFactors, 'Multiplies the length of each further ban.', [2], { default: 2 }),
  max: field(banLengths, 'The longest ban.', ['1h'], { default: '24h' }),
})

export const banFields = map({
  after: field(quotas, 'The number of refused calls that leads to a ban.', [3], {
    default: 10,
    samples: [1, 3, 20],
  }),
  for: field(banLengths, 'The length of a ban.', ['5m'], { default: '300s', samples: ['1s', '900s'] }),
  grace: field(anyDuration, 'Refused calls this soon after the first one do not count.', ['2s'], {
    default: '0s',
    samples: ['2s', '60s'],
  }),
  escalate: field(escalation, 'Makes each further ban longer.', [{ factor: 2, max: '1h' }], {
    samples: [{ factor: 2, max: '24h' }],
  }),
  extend: field(flags, 'A call during a ban restarts bans.for.', [true], { default: false }),
  status: field(choices(429, 401, 403), 'The status of calls during a ban.', [403], { default: 429 }),
})

export const bans = either('off or a map of fields', choices('off'), banFields)

/** What the service does in its own way. */
export const conventions = map({
  pageSize: field(
    choices('reject', 'clamp'),
    'A `limit` outside 1 to 100: answer 400, or use the nearest value in range.',
    ['clamp'],
    { default: 'reject', assumption: 'A12' },
  ),
  pageOrder: field(choices('ascending', 'descending'), 'The order of pets by id.', ['descending'], {
    default: 'ascending',
    assumption: 'A15',
  }),
  pagination: field(
    choices('link', 'relative', 'none'),
    'Whether a list has a Link header to its next page: as a whole URL, as a path, or not.',
    ['none'],
    { default: 'link', assumption: 'A15' },
  ),
  order: field(
    map({
      unknownPath: field(
        choices('after-key', 'before-key'),
        'Whether an unknown path gets 401 without a key, or 404. Before the key, it uses no quota.',
        ['before-key'],
        { default: 'after-key' },
      ),
      validation: field(
        choices('after-limit', 'before-limit'),
        'Whether query and body are checked after ban and limit. Before them, a wrong call uses no quota.',
        ['before-limit'],
        { default: 'after-limit' },
      ),
      contentType: field(
        choices('before-schema', 'after-schema'),
        'Whether the content type is checked before the fields of the body.',
        ['after-schema'],
        { default: 'before-schema' },
      ),
    }),
    'The order of some checks.',
    [{ unknownPath: 'before-key' }],
    { assumption: 'A01' },
  ),
  errors: field(
    names(
      choices(...apiCodes),
      map({
        code: field(errorCodes, 'The code that clients see.', ['not_found']),
        message: field(
          anyText,
          'The message. {id}, {limit}, {wait}, {field}, {value}, {name}, {path} and {method} stand for values of the call.',
          ['No pet {id}'],
        ),
      }),
      { message: 'No pet {id}' },
    ),
    "Codes and messages of the service's errors, by the code of pet-mock.",
    [{ pet_not_found: { code: 'not_found', message: 'No pet {id}' } }],
    { assumption: 'A09', samples: [{ code: 'sample', message: 'Sample.' }] },
  ),
  responses: field(
    map({
      headers: field(names(extraHeaders, headerValues), 'Headers of every response.', [{ 'X-Api': '7' }], {
        samples: [{ 'X-Sample': '1' }],
      }),
      error: field(names(ofError, anyJson), 'Members of every Error.', [{ type: 'about:blank' }], {
        samples: [{ sample: 1 }],
      }),
      pet: field(names(ofPet, anyJson), 'Members of every pet.', [{ kind: 'animal' }], {
        samples: [{ sample: 1 }],
      }),
    }),
    'What responses have besides what the specification names.',
    [{ headers: { 'X-Api': '7' } }],
    { assumption: 'A16' },
  ),
  latency: field(
    either(
      'on, off or a map of operations',
      choices('on', 'off'),
      names(
        choices(...operationIds),
        itemMap({
          median: required(delays, 'Half of the calls take less.', ['80ms']),
          p99: required(delays, '99 of 100 calls take less.', ['900ms']),
        }),
        { median: '80ms', p99: '900ms' },
      ),
    ),
    'How long responses take. With on, as long as the profile says.',
    ['on', { listPets: { median: '80ms', p99: '900ms' } }],
    { default: 'off' },
  ),
})

export const brownout = itemMap({
  from: required(anyInstant, 'The start.', ['2026-03-02T09:00:00Z']),
  to: required(anyInstant, 'The end.', ['2026-03-02T09:10:00Z']),
})

export const deprecation = map({
  since: field(
    anyInstant,
    'The instant of deprecation. Default: none, so no Deprecation header is sent.',
    ['2026-01-01T00:00:00Z'],
    { samples: ['2026-01-01T00:00:00Z', '2025-01-01T00:00:00Z'] },
  ),
  removedAt: field(anyInstant, 'The instant of removal, sent as Sunset.', ['2027-01-01T00:00:00Z'], {
    default: formatInstant(defaultDeprecationSettings.removedAt),
    samples: ['2027-01-01T00:00:00Z', '2031-01-01T00:00:00Z'],
  }),
  after: field(choices(404, 410, 'keep'), 'The status after the removal; keep removes nothing.', [410], {
    default: defaultDeprecationSettings.after,
  }),
  brownouts: field(list(brownout), 'Times before the removal when the operation answers as if removed.', [
    [{ from: '2026-03-02T09:00:00Z', to: '2026-03-02T09:10:00Z' }],
  ]),
})
