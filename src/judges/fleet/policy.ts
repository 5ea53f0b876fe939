import { parseRetryAfter } from '../../base/time/retry-after.ts'
import type { Quota } from '../../service/plans/plan.ts'
import { type Bucket, createBucket } from './bucket.ts'

/** A job that an instance wants to send. Instants are milliseconds of the virtual clock. */
export interface FleetCall {
  /** When the instance got the job. */
  readonly wantedAt: number
  /** 1 for the first attempt. */
  readonly attempt: number
}

export interface FleetResponse {
  /** 0: the connection broke. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How one instance spaces and repeats its calls. A module of the user's may return promises. */
export interface Policy {
  /** When to send a job; undefined: never. An instance asks for its jobs one after the other. */
  readonly next: (call: FleetCall) => number | undefined | Promise<number | undefined>
  /** When to send it again; undefined: it is done, or given up. */
  readonly seen: (
    response: FleetResponse,
    call: FleetCall,
  ) => number | undefined | Promise<number | undefined>
}

/** What a policy knows of its instance, and the built-in ones besides. */
export interface FleetContext {
  /** From 0. */
  readonly instance: number
  readonly now: () => number
  /** From 0 to below 1, seeded. */
  readonly random: () => number
  /** Those that use the key. */
  readonly instances: number
  /** What the limiters keep to together. */
  readonly quota: Quota
  readonly isCalendar: boolean
  /** The limiter that all instances of the key share. */
  readonly shared: Bucket
}

export type CreatePolicy = (context: FleetContext) => Policy

/** The longest pause of policies that double theirs: that of the AWS SDKs, in milliseconds. */
const longestPause = 20_000

/** Full jitter: "Exponential Backoff And Jitter", AWS Architecture Blog. */
const jittered = (random: () => number, attempt: number) =>
  random() * Math.min(longestPause, 1_000 * 2 ** (attempt - 1))

/** The wait that a refusal asks for (RFC 9110, section 10.2.3), in milliseconds; 1 s if it names none. */
function waitOf({ headers }: FleetResponse): number {
  return parseRetryAfter(headers['Retry-After'] ?? '', headers.Date).ms ?? 1_000
}

function mayRetry(response: FleetResponse): boolean {
  return response.status === 429 || (response.status >= 400 && 'Retry-After' in response.headers)
}

/** Sends each job at once, and a refused one again after a wait that belongs to that job alone. */
const retrying =
  (wait: (context: FleetContext, response: FleetResponse, call: FleetCall) => number): CreatePolicy =>
  context => ({
    next: () => context.now(),
    seen: (response, call) =>
      mayRetry(response) ? context.now() + wait(context, response, call) : undefined,
  })

/** Holds all its jobs back while one is refused. `limiter`: takes a place for a job, at an instant or later. */
const pausing =
  (limiterOf: (context: FleetContext) => (at: number) => number): CreatePolicy =>
  context => {
    const { now, random } = context
    const limiter = limiterOf(context)
    let until = 0
    return {
      next: () => limiter(Math.max(now(), until)),
      seen: response => {
        if (!mayRetry(response)) return undefined
        until = Math.max(until, now() + waitOf(response) + random() * 5_000)
        return limiter(until)
      },
    }
  }

/** Spreads what is left of the window over the time to its end, as if each instance had an equal part. */
const pacing: CreatePolicy = ({ now, instances }) => {
  let nextAt = 0
  return {
    next: () => Math.max(now(), nextAt),
    seen: response => {
      const { 'X-RateLimit-Remaining': left = '', 'X-RateLimit-Reset': reset = '' } = response.headers
      const toReset = Math.max(0, Number(reset) * 1_000 - now())
      nextAt =
        now() + (mayRetry(response) ? waitOf(response) : (toReset * instances) / Math.max(1, Number(left)))
      return mayRetry(response) ? nextAt : undefined
    },
  }
}

/**
 * The adaptive retry mode of the AWS SDKs ("Retry behavior", AWS SDKs and Tools Reference Guide): a refusal lowers the
 * instance's rate to 0.7 of what it was, and it grows again by a cubic function of time (RFC 9438, section 4.1), up to twice the measured
 * rate. A job gets three attempts.
 */
const adaptive: CreatePolicy = ({ now, random }) => {
  const [beta, scale, leastRate, attempts] = [0.7, 0.4, 0.5, 3]
  let [rate, lastMost, refusedAt, nextAt] = [Number.POSITIVE_INFINITY, 0, 0, 0]
  let [measured, countedAt, count] = [0, now(), 0]
  const measure = () => {
    count += 1
    const seconds = (now() - countedAt) / 1_000
    if (seconds < 0.5) return
    measured = 0.8 * (count / seconds) + 0.2 * measured
    countedAt = now()
    count = 0
  }
  const place = (at: number) => {
    nextAt = Math.max(at, nextAt + 1_000 / rate)
    return nextAt
  }
  return {
    next: () => place(now()),
    seen: (response, { attempt }) => {
      measure()
      if (mayRetry(response)) {
        lastMost = Math.min(measured, rate)
        refusedAt = now()
        rate = Math.max(leastRate, lastMost * beta)
        return attempt < attempts ? place(now() + jittered(random, attempt)) : undefined
      }
      if (rate === Number.POSITIVE_INFINITY) return undefined
      const recovery = Math.cbrt((lastMost * (1 - beta)) / scale)
      const grown = scale * ((now() - refusedAt) / 1_000 - recovery) ** 3 + lastMost
      rate = Math.max(leastRate, Math.min(grown, 2 * measured))
      return undefined
    },
  }
}

/** The policies by name. docs/fleet.md describes each. */
export const policies: Readonly<Record<string, CreatePolicy>> = {
  none: ({ now }) => ({ next: now, seen: () => undefined }),
  fixed: retrying(() => 1_000),
  exponential: retrying(({ random }, _response, { attempt }) => jittered(random, attempt)),
  'retry-after': retrying((_context, response) => waitOf(response)),
  'retry-after-jitter': retrying(({ random }, response) => waitOf(response) + random() * 10_000),
  pause: pausing(() => at => at),
  'bucket-split': pausing(
    ({ quota: { minute, day }, instances, isCalendar }) =>
      createBucket({ minute: minute / instances, day: day / instances }, isCalendar ? 'calendar' : 'any')
        .take,
  ),
  'bucket-shared': pausing(({ shared }) => shared.take),
  adaptive,
  pacing,
}
