import { type FindingId, findingIds } from '../../control/scenario/settings/finding-ids.ts'
import type { Severity } from '../report/finding.ts'

/** A check of conduct, whose finding has the same id. */
interface ConductCheck {
  readonly severity: Severity
  /** What must hold, as reports list it. */
  readonly requirement: string
  /** `count`: how often it was found. `most`: the greatest size noted. */
  readonly title: (count: number, most: number) => string
  readonly remedy: string
  readonly source: string
}

export type ConductId = FindingId

const exceeding = 'Specification, "Exceeding a limit"'

/** Every check. docs/findings.md lists each, and docs/conduct.md its threshold. */
export const conductChecks: Readonly<Record<ConductId, ConductCheck>> = {
  'early-retry': {
    severity: 'error',
    requirement: 'refused calls are not retried before Retry-After is over',
    title: (count, most) =>
      `${number(count, 'refused call was', 'refused calls were')} retried before Retry-After was over, up to ${seconds(most)} early.`,
    remedy:
      'Wait as many seconds as Retry-After says, however long that is. A capped wait, or a backoff that ignores the header, retries too early. If several clients use the key, share the wait, or give each its own key.',
    source: `${exceeding}; RFC 9110, section 10.2.3`,
  },
  'call-during-ban': {
    severity: 'error',
    requirement: 'a banned key is not used until the ban is over',
    title: count => `${number(count, 'call', 'calls')} used a key that the client knew was banned.`,
    remedy: 'After a 429 with the code api_key_banned, stop all calls of the key until Retry-After is over.',
    source: `${exceeding}; A10`,
  },
  banned: {
    severity: 'error',
    requirement: 'no key is banned',
    title: count => `${number(count, 'ban was', 'bans were')} imposed for calling while rate limited.`,
    remedy:
      'Let the first 429 stop every call of the key, not only the one that got it. Limit how many calls run in parallel.',
    source: `${exceeding}; A10`,
  },
  'removed-operation': {
    severity: 'error',
    requirement: 'no removed operation is called',
    title: count => `${number(count, 'call', 'calls')} used an operation that was removed.`,
    remedy: 'Use GET /v1/pets with its status filter instead of GET /v1/pets/{petId}.',
    source: 'Specification, "Versioning"; A17',
  },
  'no-backoff': {
    severity: 'warning',
    requirement: 'retries back off',
    title: count => `${number(count, 'failed call was', 'failed calls were')} retried at a steady pace.`,
    remedy: 'Double each wait, add some jitter, and give up after a few retries.',
    source: `${exceeding}: "using exponential backoff"`,
  },
  'called-while-limited': {
    severity: 'warning',
    requirement: 'no other calls are made while a key is rate limited',
    title: count =>
      `${number(count, 'other call was', 'other calls were')} made with a key before its Retry-After was over.`,
    remedy:
      'A limit applies to the whole key, and each refused call counts towards a ban. If several clients use the key, share the wait, with one pause for all, or give each its own key.',
    source: `${exceeding}; A10`,
  },
  'deprecated-operation': {
    severity: 'warning',
    requirement: 'no deprecated operation is called',
    title: count => `${number(count, 'call', 'calls')} used a deprecated operation.`,
    remedy:
      'Use GET /v1/pets with its status filter. The Sunset header says when the operation will be removed.',
    source: 'Specification, "Versioning"; RFC 8594; RFC 9745',
  },
  'invalid-request-repeated': {
    severity: 'warning',
    requirement: 'invalid calls are not repeated unchanged',
    title: count => `${number(count, 'invalid call was', 'invalid calls were')} repeated unchanged.`,
    remedy:
      'A 4xx other than 408 and 429 means that the call itself is wrong: correct it or give up. Each repetition uses quota.',
    source: 'RFC 9110, section 15.5; A03',
  },
  'duplicate-create': {
    severity: 'warning',
    requirement: 'no pet is created again because its reply was lost',
    title: count => `${number(count, 'pet was', 'pets were')} created again after a reply that never came.`,
    remedy:
      'After a POST without a reply, list the pets and look for the new one. Create it again only if it is not there.',
    source: 'RFC 9110, section 9.2.2',
  },
  'unknown-parameter': {
    severity: 'warning',
    requirement: 'only known query parameters are sent',
    title: count => `${number(count, 'unknown query parameter was', 'unknown query parameters were')} sent.`,
    remedy: 'The specification does not name it: correct its name, or remove it.',
    source: 'A12',
  },
  'missing-key': {
    severity: 'warning',
    requirement: 'every call has an API key',
    title: count => `${number(count, 'call', 'calls')} had no API key.`,
    remedy: 'Send the header "Authorization: Bearer <API_KEY>" with every call.',
    source: 'Specification, "Authentication"; A02',
  },
  'key-in-query': {
    severity: 'warning',
    requirement: 'no API key is in a query',
    title: count => `${number(count, 'call', 'calls')} had an API key in the query.`,
    remedy: 'Send the key only in the Authorization header. Logs and histories keep URLs.',
    source: 'Specification, "Authentication"; RFC 6750, section 5.3; A02',
  },
  'polling-too-fast': {
    severity: 'warning',
    requirement: 'polling is slow enough for the plan',
    title: count => `${number(count, 'call', 'calls')} polled faster than the plan allows.`,
    remedy:
      'Poll as rarely as the plan allows for a whole day, poll only while somebody is looking, or choose a larger plan.',
    source: 'Specification, "Rate limits by plan"',
  },
  'page-asked-again': {
    severity: 'warning',
    requirement: 'each page of a list is requested once',
    title: count => `${number(count, 'call', 'calls')} requested pets that the client already had.`,
    remedy: 'Follow rel="next" of the Link header from page to page, and keep the pages.',
    source: 'Specification, "List animals"; A15',
  },
  'unknown-field': {
    severity: 'info',
    requirement: 'bodies have only known fields',
    title: count => `${number(count, 'unknown field was', 'unknown fields were')} sent.`,
    remedy: 'Correct its name or remove it. The service ignores it.',
    source: 'A16',
  },
  'quota-peak': {
    severity: 'info',
    requirement: 'the plan has room',
    title: count => `${number(count, 'key', 'keys')} needed 80 % of a window or more.`,
    remedy: 'Make fewer calls, cache responses, or choose the plan that is named.',
    source: 'Specification, "Rate limits by plan"',
  },
}

export const waitIds = ['early-retry', 'call-during-ban', 'called-while-limited', 'banned'] as const

/** The errors first. */
export const conductIds = findingIds

function number(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

/** Milliseconds as text: `250 ms`, `58.2 s`. */
export function seconds(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`
}
