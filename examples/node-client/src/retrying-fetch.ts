export interface Retrying {
  /** What sends a request. */
  readonly fetch: (request: Request) => Promise<Response>
  readonly sleep: (ms: number) => Promise<void>
  /** How often a request is sent again, at most. */
  readonly retries: number
  /** Whoever is told to wait longer than this gives up: a ban, or a day's quota, is for people to look at. */
  readonly patienceMs: number
  /** From 0 to 1: how much later than it must a request comes, so that many clients do not come back at once. */
  readonly jitter: () => number
}

/**
 * A `fetch` that sends a request again where that makes sense. It waits for as long as `Retry-After` says, or for a step
 * that doubles each time, whichever is longer, and up to a tenth more.
 */
export function retryingFetch({ fetch, sleep, retries, patienceMs, jitter }: Retrying) {
  return async (request: Request): Promise<Response> => {
    for (let attempt = 0; ; attempt += 1) {
      const response = await fetch(request.clone())
      const waitMs = Math.max(toldToWaitMs(response), 500 * 2 ** attempt)
      if (!mayBeSentAgain(request, response) || attempt === retries || waitMs > patienceMs) return response
      await response.body?.cancel()
      await sleep(Math.ceil(waitMs * (1 + jitter() / 10)))
    }
  }
}

/** A 429 was not even looked at. After a 5xx nobody knows, so only what changes nothing is sent again. */
function mayBeSentAgain({ method }: Request, { status }: Response): boolean {
  if (status === 429) return true
  return [502, 503, 504].includes(status) && (method === 'GET' || method === 'HEAD')
}

/** `Retry-After` is a number of seconds or a date (RFC 9110, section 10.2.3). */
function toldToWaitMs({ headers }: Response): number {
  const told = headers.get('Retry-After')
  if (told === null) return 0
  if (/^\d+$/.test(told)) return Number(told) * 1000
  const until = Date.parse(told)
  return Number.isNaN(until) ? 0 : Math.max(0, until - Date.now())
}
