import { edit, error, type Fault, type Faults, hasStatus, header, without } from './edits.ts'
import { fixedWindows } from './limiters.ts'
import { type Call, usual } from './traits.ts'

const is429 = hasStatus(429)
const after = (change: (seconds: number, at: number) => string) => ({
  retryAfter: change,
  banAfter: undefined,
})
const told = (name: string, change: (value: number) => string) =>
  header(is429, `x-ratelimit-${name}`, value => change(Number(value)))
const date = (at: number) => new Date(at).toUTCString()
const fault = (traits: Fault['traits'], finds: Fault['finds'], isNote = false): Fault => ({
  traits,
  finds,
  exhausts: true,
  isNote,
})
const open = (where: (call: Call) => boolean): Fault['traits'] => ({
  isRefused: (standing, call) => usual.isRefused(standing, call) && !where(call),
})

export const faultsOfRefusals: Faults = {
  'no limit': fault({ isRefused: () => false }, 'limit-enforced'),
  'one request over the limit': fault(
    {
      limiter: ({ minute, day }) => fixedWindows({ minute: minute + 1, day }),
      ...header(
        () => true,
        'x-ratelimit-limit',
        value => `${Number(value) - 1}`,
      ),
      ...edit(
        () => true,
        ({ headers }) => ({
          headers: {
            ...headers,
            'x-ratelimit-limit': `${Number(headers['x-ratelimit-limit']) - 1}`,
            'x-ratelimit-remaining': `${Math.max(0, Number(headers['x-ratelimit-remaining']) - 1)}`,
          },
        }),
      ),
    },
    'limit-enforced',
  ),
  'one request below the limit': fault(
    {
      limiter: ({ minute, day }) => fixedWindows({ minute: minute - 1, day }),
      ...edit(
        ({ status }) => status !== 429,
        ({ headers }) => ({
          headers: {
            ...headers,
            'x-ratelimit-limit': `${Number(headers['x-ratelimit-limit']) + 1}`,
            'x-ratelimit-remaining': `${Number(headers['x-ratelimit-remaining']) + 1}`,
          },
        }),
      ),
    },
    'limit-not-early',
  ),
  'Remaining before the request': fault(
    edit(
      ({ status }) => status !== 429,
      ({ headers }) => ({
        headers: { ...headers, 'x-ratelimit-remaining': `${Number(headers['x-ratelimit-remaining']) + 1}` },
      }),
    ),
    'limit-not-early',
  ),
  '503 instead of 429': fault(
    edit(is429, () => error(503)),
    'limit-enforced',
  ),
  '403 instead of 429': fault(
    edit(is429, () => error(403)),
    'limit-enforced',
  ),
  '200 with an Error instead of 429': fault(
    edit(is429, () => ({ status: 200 })),
    'contract-body',
  ),
  '429 without Retry-After': fault(without(is429, 'retry-after'), 'contract-header'),
  '429 without limit headers': fault({ hasLimits: (_, { status }) => status !== 429 }, 'limit-headers'),
  'Retry-After in words': fault(
    after(() => 'soon'),
    'retry-format',
  ),
  'Retry-After with a fraction': fault(
    after(seconds => `${seconds}.00`),
    'retry-format',
  ),
  'Retry-After with a unit': fault(
    after(seconds => `${seconds}s`),
    'retry-format',
  ),
  'Retry-After as an ISO date': fault(
    after((seconds, at) => new Date(at + seconds * 1_000).toISOString()),
    'retry-format',
  ),
  'Retry-After as a Unix timestamp': fault(
    after((seconds, at) => `${Math.floor(at / 1_000) + seconds}`),
    'retry-format',
  ),
  'Retry-After in milliseconds': fault(
    after(seconds => `${seconds * 1_000}`),
    'retry-format',
  ),
  'Retry-After below zero': fault(
    after(() => '-5'),
    'retry-format',
  ),
  'Retry-After of half the time': fault(
    after(seconds => `${Math.floor(seconds / 2)}`),
    'retry-works',
  ),
  'Retry-After of one second': fault(
    after(() => '1'),
    'retry-works',
  ),
  'Retry-After of zero': fault(
    after(() => '0'),
    'retry-works',
  ),
  'Retry-After in the past': fault(
    after((_, at) => date(at - 3_600_000)),
    'retry-works',
  ),
  'Retry-After in minutes': fault(
    after(seconds => `${Math.ceil(seconds / 60)}`),
    'retry-works',
  ),
  'Retry-After of an hour': fault(
    after(() => '3600'),
    'retry-too-long',
  ),
  'Retry-After twice as long': fault(
    after(seconds => `${seconds + 60}`),
    'retry-too-long',
  ),
  'the date of Retry-After in an hour': fault(
    after((_, at) => date(at + 3_600_000)),
    'retry-too-long',
  ),
  '429 with the headers of the day': fault(
    {
      onRefusal: (standing, at) => ({
        ...standing,
        limit: standing.limit === 60 ? 1_000 : 10_000,
        remaining: 900,
        resetAt: at + 40_000_000,
      }),
    },
    'limit-refused-window',
  ),
  '429 with requests left': fault(
    told('remaining', () => '5'),
    'limit-refused-window',
  ),
  'Reset of a 429 comes early': fault(
    told('reset', value => `${value - 30}`),
    'limit-resets',
  ),
  'the limit never resets': fault(() => {
    let refused = false
    return {
      isRefused: standing => {
        refused ||= !standing.isFree
        return refused
      },
    }
  }, 'retry-works'),
  'createPet is not limited': fault(
    open(({ method }) => method === 'POST'),
    'limit-every-operation',
  ),
  'getPet is not limited': fault(
    open(({ target }) => /pets\/\d/.test(target)),
    'limit-every-operation',
  ),
  'createPet answers 400 while the limit is exceeded': fault(
    edit(
      (reply, { method }) => is429(reply, { method } as Call) && method === 'POST',
      () => error(400),
    ),
    'limit-every-operation',
  ),
  'Remaining on 429 is missing': fault(without(is429, 'x-ratelimit-remaining'), 'limit-headers'),
  'Reset on 429 in milliseconds': fault(
    told('reset', value => `${value}000`),
    'limit-reset-seconds',
  ),
  '429 may be stored': fault({}, 'retry-not-stored', true),
  'Retry-After ends after Reset': fault(
    told('reset', value => `${value + 20}`),
    'retry-agrees',
    true,
  ),
  '429 in HTML': fault({ refusalText: '<h1>Slow down</h1>' }, 'contract-assumed', true),
  'a window begins with one request less': fault(
    {
      limiter: ({ minute, day }) => fixedWindows({ minute: minute - 1, day }),
      ...header(
        () => true,
        'x-ratelimit-limit',
        value => `${Number(value) + 1}`,
      ),
    },
    'limit-whole',
    true,
  ),
}
