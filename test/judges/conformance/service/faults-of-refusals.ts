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
  'no limit': fault(
    { isRefused: () => false },
    'limit-enforced: GET /pets?limit=1 → 200: the status is 200, 6 times, while 0 remained',
  ),
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
    'limit-enforced: GET /pets?limit=1 → 429: 61 requests of 60 were accepted before it',
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
    'limit-not-early: GET /pets?limit=1 → 429: 1 remained before the call',
  ),
  'Remaining before the request': fault(
    edit(
      ({ status }) => status !== 429,
      ({ headers }) => ({
        headers: { ...headers, 'x-ratelimit-remaining': `${Number(headers['x-ratelimit-remaining']) + 1}` },
      }),
    ),
    'limit-not-early: GET /pets?limit=1 → 429: 1 remained before the call',
  ),
  '503 instead of 429': fault(
    edit(is429, () => error(503)),
    'limit-enforced: GET /pets?limit=1 → 503: the status is 503, not 429',
  ),
  '403 instead of 429': fault(
    edit(is429, () => error(403)),
    'limit-enforced: GET /pets?limit=1 → 403: the status is 403, not 429',
  ),
  '200 with an Error instead of 429': fault(
    edit(is429, () => ({ status: 200 })),
    'contract-body: GET /pets?limit=1 → 200: Response body must be array',
  ),
  '429 without Retry-After': fault(
    without(is429, 'retry-after'),
    "contract-header: GET /pets?limit=1 → 429: Response header must have required property 'retry-after'",
  ),
  '429 without limit headers': fault(
    { hasLimits: (_, { status }) => status !== 429 },
    'limit-headers: GET /pets?limit=1 → 429: without x-ratelimit-limit and x-ratelimit-remaining and x-ratelimit-reset',
  ),
  'two lines of Retry-After': fault(
    // A client joins them.
    after(seconds => `${seconds}, ${seconds}`),
    'retry-format: GET /pets?limit=1 → 429: Retry-After is 58, 58',
  ),
  'Retry-After in words': fault(
    after(() => 'soon'),
    'retry-format: GET /pets?limit=1 → 429: Retry-After is soon',
  ),
  'Retry-After with a fraction': fault(
    after(seconds => `${seconds}.00`),
    'retry-format: GET /pets?limit=1 → 429: Retry-After is 58.00',
  ),
  'Retry-After with a unit': fault(
    after(seconds => `${seconds}s`),
    'retry-format: GET /pets?limit=1 → 429: Retry-After is 58s',
  ),
  'Retry-After as an ISO date': fault(
    after((seconds, at) => new Date(at + seconds * 1_000).toISOString()),
    'retry-format: GET /pets?limit=1 → 429: Retry-After is 2026-03-02T12:02:08.020Z',
  ),
  'Retry-After as a Unix timestamp': fault(
    after((seconds, at) => `${Math.floor(at / 1_000) + seconds}`),
    'retry-format: GET /pets?limit=1 → 429: Retry-After is 1772452928, which looks like a Unix timestamp',
  ),
  'Retry-After in milliseconds': fault(
    after(seconds => `${seconds * 1_000}`),
    'retry-format: GET /pets?limit=1 → 429: Retry-After is 58000, which looks like milliseconds',
  ),
  'Retry-After below zero': fault(
    after(() => '-5'),
    'retry-format: GET /pets?limit=1 → 429: Retry-After is -5',
  ),
  'Retry-After of half the time': fault(
    after(seconds => `${Math.floor(seconds / 2)}`),
    'retry-works: GET /pets?limit=1 → 429: the status is 429, although Retry-After is over',
  ),
  'Retry-After of one second': fault(
    after(() => '1'),
    'retry-works: GET /pets?limit=1 → 429: the status is 429, although Retry-After is over',
  ),
  'Retry-After of zero': fault(
    after(() => '0'),
    'retry-works: GET /pets?limit=1 → 429: the status is 429, although Retry-After is over',
  ),
  'Retry-After in the past': fault(
    after((_, at) => date(at - 3_600_000)),
    'retry-works: GET /pets?limit=1 → 429: the status is 429, although Retry-After is over',
  ),
  'Retry-After in minutes': fault(
    after(seconds => `${Math.ceil(seconds / 60)}`),
    'retry-works: GET /pets?limit=1 → 429: the status is 429, although Retry-After is over',
  ),
  'Retry-After of an hour': fault(
    after(() => '3600'),
    'retry-too-long: GET /pets?limit=1 → 429: Retry-After is 3600, and the limit is per minute',
  ),
  'Retry-After twice as long': fault(
    after(seconds => `${seconds + 60}`),
    'retry-too-long: GET /pets?limit=1 → 429: Retry-After is 118, and the limit is per minute',
  ),
  'the date of Retry-After in an hour': fault(
    after((_, at) => date(at + 3_600_000)),
    'retry-too-long: GET /pets?limit=1 → 429: Retry-After is Mon, 02 Mar 2026 13:01:10 GMT, and the limit is per minute',
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
    'limit-refused-window: GET /pets?limit=1 → 429: it reports 900 of 1000, but the response before 0 of 60',
  ),
  '429 with requests left': fault(
    told('remaining', () => '5'),
    'limit-refused-window: GET /pets?limit=1 → 429: it reports 5 of 60, but the response before 0 of 60',
  ),
  'Reset of a 429 comes early': fault(
    told('reset', value => `${value - 30}`),
    'limit-resets: GET /pets?limit=1 → 429: the status is 429, although X-RateLimit-Reset is over',
  ),
  'the limit never resets': fault(() => {
    let refused = false
    return {
      isRefused: standing => {
        refused ||= !standing.isFree
        return refused
      },
    }
  }, 'retry-works: GET /pets?limit=1 → 429: the status is 429, although Retry-After is over'),
  'createPet is not limited': fault(
    open(({ method }) => method === 'POST'),
    'limit-every-operation: POST /pets → 201: the status is 201',
  ),
  'getPet is not limited': fault(
    open(({ target }) => /pets\/\d/.test(target)),
    'limit-every-operation: GET /pets/7 → 200: the status is 200',
  ),
  'createPet answers 400 while the limit is exceeded': fault(
    edit(
      (reply, { method }) => is429(reply, { method } as Call) && method === 'POST',
      () => error(400),
    ),
    'limit-every-operation: POST /pets → 400: the status is 400',
  ),
  'Remaining on 429 is missing': fault(
    without(is429, 'x-ratelimit-remaining'),
    'limit-headers: GET /pets?limit=1 → 429: without x-ratelimit-remaining',
  ),
  'Reset on 429 in milliseconds': fault(
    told('reset', value => `${value}000`),
    'limit-reset-seconds: GET /pets?limit=1 → 429: X-RateLimit-Reset is 1772452928000, which looks like milliseconds',
  ),
  '429 may be stored': fault({}, 'retry-not-stored: GET /pets?limit=1 → 429: Cache-Control is missing', true),
  'Retry-After ends after Reset': fault(
    told('reset', value => `${value + 20}`),
    'retry-agrees: GET /pets?limit=1 → 429: Retry-After ends 20 s before X-RateLimit-Reset',
    true,
  ),
  '429 in HTML': fault(
    { refusalText: '<h1>Slow down</h1>' },
    'contract-assumed: GET /pets?limit=1 → 429: Response body is not JSON: unexpected "<" at line 1, column 1',
    true,
  ),
  'a window begins with one request less': fault(
    {
      limiter: ({ minute, day }) => fixedWindows({ minute: minute - 1, day }),
      ...header(
        () => true,
        'x-ratelimit-limit',
        value => `${Number(value) + 1}`,
      ),
    },
    'limit-whole: GET /pets?limit=1 → 200: 58 of 60 remain after the first request',
    true,
  ),
}
