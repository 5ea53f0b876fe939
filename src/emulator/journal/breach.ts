/** One way in which an exchange breaks the contract. */
export interface Breach {
  /** `request`: the server accepted a request that the contract does not allow. */
  readonly side: 'request' | 'response'
  /** `status`, `media type`, `body`, `header`, `path`, `query` or `security`. */
  readonly part: string
  /** The place in that part: `0.status`, `x-ratelimit-limit`; empty for the whole part. */
  readonly place: string
  /** A sentence without its full stop. */
  readonly message: string
}
