import type { Severity } from '../report/finding.ts'

/** What is known of a finding by its id, whoever is judged. */
export interface ConductCheck {
  readonly severity: Severity
  /** What must hold, as a report lists it. */
  readonly check: string
  /** What was found; `most`: the greatest number that was noted with it. */
  readonly title: (count: number, most: number) => string
  readonly remedy: string
  readonly source: string
}

const exceeding = 'Specification, "Exceeding a limit"'

/** Every finding, the errors first. docs/conduct.md tells of each. */
const rules = {
  'early-retry': {
    severity: 'error',
    check: 'a refused call is not repeated before Retry-After is over',
    title: (count, most) =>
      `${times(count)} a refused call was repeated before Retry-After was over, by up to ${seconds(most)}.`,
    remedy:
      'Wait as many seconds as Retry-After says before the call is repeated, however long that is: a cap on the wait, or a backoff that ignores the header, comes too early.',
    source: `${exceeding}; RFC 9110, section 10.2.3`,
  },
  'call-during-ban': {
    severity: 'error',
    check: 'a banned key is not used until the ban is over',
    title: count => `${times(count)} a key was used that its caller had been told is banned.`,
    remedy:
      'Stop all calls of the key when the answer is 429 with the code api_key_banned, until Retry-After is over.',
    source: `${exceeding}; A10`,
  },
  banned: {
    severity: 'error',
    check: 'no key is banned',
    title: count => `${times(count)} a key was banned for calling on while it was rate limited.`,
    remedy:
      'Let the first 429 hold back every call of the key, not only the one that got it, and limit how many run in parallel.',
    source: `${exceeding}; A10`,
  },
  'removed-operation': {
    severity: 'error',
    check: 'no operation is called after its removal',
    title: count => `${times(count)} an operation was called that had been removed.`,
    remedy: 'Use GET /v1/pets with its status filter in place of GET /v1/pets/{petId}.',
    source: 'Specification, "Versioning"; A17',
  },
  'no-backoff': {
    severity: 'warning',
    check: 'retries back off',
    title: count => `${times(count)} a failed call was repeated without waiting longer than before.`,
    remedy: 'Let each wait be a multiple of the one before, with some chance in it, and give up after a few.',
    source: `${exceeding}: "using exponential backoff"`,
  },
  'called-while-limited': {
    severity: 'warning',
    check: 'no other calls are made while a key is rate limited',
    title: count => `${times(count)} another call was made with a key that was told to wait.`,
    remedy:
      'A limit holds for the key: share the wait among all that use it, since each refused call counts towards a ban.',
    source: `${exceeding}; A10`,
  },
  'deprecated-operation': {
    severity: 'warning',
    check: 'no deprecated operation is used',
    title: count => `${times(count)} a deprecated operation was called.`,
    remedy:
      'Use GET /v1/pets with its status filter. The header Sunset tells until when the operation is there.',
    source: 'Specification, "Versioning"; RFC 8594; RFC 9745',
  },
  'invalid-request-repeated': {
    severity: 'warning',
    check: 'what was invalid is not sent again unchanged',
    title: count => `${times(count)} a call was repeated unchanged that had been refused as invalid.`,
    remedy:
      'A 4xx other than 408 and 429 says that the call itself is wrong: mend it or give up. Each repetition uses quota.',
    source: 'RFC 9110, section 15.5; A03',
  },
  'unknown-parameter': {
    severity: 'warning',
    check: 'only parameters that the operation knows are sent',
    title: count => `${times(count)} a query parameter was sent that nobody listens to.`,
    remedy: 'Leave it out, or correct its name: the service ignores it, and answers as if it were not there.',
    source: 'A12',
  },
  'missing-key': {
    severity: 'warning',
    check: 'every call shows an API key',
    title: count => `${times(count)} a call came without an API key.`,
    remedy: 'Send the header "Authorization: Bearer <API_KEY>" with every call.',
    source: 'Specification, "Authentication"; A02',
  },
  'key-in-query': {
    severity: 'warning',
    check: 'no key is in a query',
    title: count => `${times(count)} an API key was sent in the query.`,
    remedy:
      'Send the key in the Authorization header alone: what is in an address stays in logs and histories.',
    source: 'Specification, "Authentication"; RFC 6750, section 5.3; A02',
  },
  'polling-too-fast': {
    severity: 'warning',
    check: 'polling is slow enough for the plan',
    title: count =>
      `${count === 1 ? 'One call was' : `${count} calls were`} polled faster than the plan can bear.`,
    remedy:
      'Poll as rarely as the plan allows for a whole day, ask only while somebody looks, or take a larger plan.',
    source: 'Specification, "Rate limits by plan"',
  },
  'page-asked-again': {
    severity: 'warning',
    check: 'a walk through pages asks for each page once',
    title: count => `${times(count)} a walk through pages asked for what it had already.`,
    remedy: 'Follow rel="next" of the Link header from page to page, and keep what came.',
    source: 'Specification, "List animals"; A15',
  },
  'unknown-field': {
    severity: 'info',
    check: 'bodies have no fields that nobody reads',
    title: count => `${times(count)} a body had a field that nobody reads.`,
    remedy: 'Leave it out, or correct its name: the service ignores it.',
    source: 'A16',
  },
  'quota-peak': {
    severity: 'info',
    check: 'the plan has room',
    title: count =>
      `${count === 1 ? 'A key has' : `${count} keys have`} used 80 % of a window or more, or wanted more than there is.`,
    remedy: 'Make fewer calls, keep answers for a while, or take the plan that is named.',
    source: 'Specification, "Rate limits by plan"',
  },
} satisfies Record<string, ConductCheck>

export type ConductId = keyof typeof rules

export const conductChecks: Readonly<Record<ConductId, ConductCheck>> = rules

export const conductIds = Object.keys(rules) as readonly ConductId[]

function times(count: number): string {
  return count === 1 ? 'Once' : `${count} times`
}

/** Milliseconds as people read them. */
export function seconds(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`
}
