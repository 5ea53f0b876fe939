export interface Retrying {
  /** Sends a request. */
  readonly fetch: (request: Request) => Promise<Response>
  readonly sleep: (ms: number) => Promise<void>
  /** The maximum number of retries of a request. */
  readonly retries: number
  /** The longest wait. For a longer one, such as a ban or a day's quota, the client gives up, so that people can look at it. */
  readonly patienceMs: number
  /** From 0 to 1: the share of the extra delay, so that many clients do not return at once. */
  readonly jitter: () => number
}

/**
 * A `fetch` that retries requests where that makes sense. It waits as long as `Retry-After` says, or for a backoff that
 * doubles each time: the longer of both, plus up to a tenth.
 */
export function retryingFetch({ fetch, sleep, retries, patienceMs, jitter }: Retrying) {
  return async (request: Request): Promise<Response> => {
    for (let attempt = 0; ; attempt += 1) {
      const response = await fetch(request.clone())
      const waitMs = Math.max(requiredWaitMs(response), 500 * 2 ** attempt)
      if (!mayBeSentAgain(request, response) || attempt === retries || waitMs > patienceMs) return response
      await response.body?.cancel()
      await sleep(Math.ceil(waitMs * (1 + jitter() / 10)))
    }
  }
}

/** The service did not execute a call that got 429. After a 5xx that is unknown, so only calls that change nothing are retried. */
function mayBeSentAgain({ method }: Request, { status }: Response): boolean {
  if (status === 429) return true
  return [502, 503, 504].includes(status) && (method === 'GET' || method === 'HEAD')
}

/** `Retry-After` is a number of seconds or a date (RFC 9110, section 10.2.3). */
function requiredWaitMs({ headers }: Response): number {
  const told = headers.get('Retry-After')
  if (told === null) return 0
  if (/^\d+$/.test(told)) return Number(told) * 1000
  const until = Date.parse(told)
  return Number.isNaN(until) ? 0 : Math.max(0, until - Date.now())
}
