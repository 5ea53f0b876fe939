import { assumedContractChecks, contractChecks } from '../contract/contract-report.ts'
import type { Severity } from '../report/finding.ts'

/** A check of a service, for `pet-mock check` and `pet-mock proxy` alike. */
interface ServiceCheck {
  /** What must hold, as a sentence without its full stop. */
  readonly says: string
  /** The origin of the requirement: `specification, “Errors”`. */
  readonly source: string
  /**
   * An error if the specification or an RFC says it. A note (`info`) if an assumption fills a gap: services need not follow
   * it, so a failure is a difference.
   */
  readonly severity: Severity
}

const specification = {
  Authentication: {
    'auth-missing': 'a request without a key must get 401',
    'auth-invalid': 'a request with an invalid key must get 401',
    'auth-accepted': 'a request with a valid key must not get 401',
    'auth-scheme': 'the challenge of a 401 must use the scheme Bearer',
  },
  Limits: {
    'limit-headers': 'every response of an operation must have the three rate limit headers',
    'limit-integers': 'X-RateLimit-Limit and X-RateLimit-Remaining must be integers',
    'limit-of-plan': 'X-RateLimit-Limit must be a limit of the plan',
    'limit-remaining-range': 'X-RateLimit-Remaining must not exceed X-RateLimit-Limit',
    'limit-counts-down': 'X-RateLimit-Remaining must decrease with every accepted request in a window',
    'limit-counts-once': 'a request must use up one request of the quota',
    'limit-counts-own': 'a request without the key must not use up its quota',
    'limit-reset-seconds': 'X-RateLimit-Reset must be a Unix timestamp in seconds',
    'limit-reset-ahead': 'X-RateLimit-Reset must be in the future, at most one window ahead',
    'limit-reset-steady': 'X-RateLimit-Reset must not jump within a window',
    'limit-resets': 'a request must be accepted again at X-RateLimit-Reset',
    'limit-enforced': 'a request over the limit must get 429',
    'limit-not-early': 'a request must not get 429 while X-RateLimit-Remaining is above 0',
    'limit-refused-window': '429 must report the window that has no requests left',
    'retry-missing': '429 must have Retry-After',
    'retry-past': 'Retry-After must not be in the past',
    'retry-works': 'a request after Retry-After must be accepted',
    'retry-too-long': 'Retry-After must not exceed the window of the exceeded limit',
  },
  Endpoints: {
    'list-answers': 'listPets must answer a documented request with 200',
    'list-filter': 'a list filtered by status must contain only animals with that status',
    'list-filter-complete': 'a list filtered by status must contain every animal with that status',
    'get-answers': 'getPet must answer 200 for an id from the list',
    'get-same': 'getPet must return the animal of its path, with the fields of the list',
    'create-answers': 'createPet must answer a NewPet with 201',
    'create-as-sent': 'a new animal must have the fields that were sent',
    'create-kept': 'a new animal must be found by its id',
    'create-listed': 'a new animal must be listed, also by its status',
    'create-refuses': 'a body with missing or invalid fields must get 400',
    'create-nothing': 'a body that gets 400 must create nothing',
  },
  'Page size': {
    'list-default': 'a list without `limit` must have as many animals as with `limit=20`',
    'list-limit': 'a list must not contain more than `limit` animals',
  },
  'Resources and their fields': {
    'list-ids-unique': 'no id may occur twice',
    'create-new-id': 'a new animal must get an id that no other animal has',
    'int64-exact': 'an integer beyond 2^53 must keep all its digits',
  },
  Errors: {
    'error-status': 'the status in an Error must be the status of the response',
    'limit-every-operation': 'every operation must answer 429 while the limit is exceeded',
    'get-unknown': 'an unknown id must get 404',
  },
  Versioning: { 'deprecation-date': 'the removal date of getPet must be 5 December 2030' },
} as const

const { 'contract-request': _ofClients, ...contract } = contractChecks
const { 'error-shape': errorShape, ...marked } = assumedContractChecks

const rfc = {
  'RFC 8259, section 8.1': { 'json-no-mark': 'JSON must not begin with a byte order mark' },
  'RFC 8288': {
    'page-continues': 'the links rel="next" must lead to every animal, once',
    'page-filter': 'the link rel="next" of a filtered list must keep the filter',
  },
  'RFC 9110, section 10.2.3': { 'retry-format': 'Retry-After must be a number of seconds, or a date' },
  'RFC 9110, section 11.1': { 'auth-scheme-case': 'the name of the scheme must be case-insensitive' },
  'RFC 9110, section 15.3.2': {
    'create-location-own': 'the Location of 201 must be the one of the new animal',
  },
  'RFC 9110, section 15.5.2': { 'auth-challenge': '401 must have a challenge in WWW-Authenticate' },
  'RFC 9110, section 15.5.6': { 'method-allow': '405 must list the supported methods in Allow' },
  'RFC 9110, section 15.6': { availability: 'every request must get a complete response, other than 5xx' },
} as const

const assumption = {
  A01: { 'auth-first': 'a request without a key must get 401, whatever else is wrong with it' },
  A03: {
    'limit-counts-errors': 'a request that gets an error must count, too',
    'limit-headers-elsewhere': 'responses without an operation must have the rate limit headers, too',
  },
  A05: {
    'limit-steady': 'X-RateLimit-Remaining must not recover within a window',
    'limit-whole': 'a new window must begin with the whole limit',
  },
  A06: {
    'limit-announced': 'X-RateLimit-Remaining must be 0 before a 429, of whatever window or ban',
    'limit-remaining-zero': 'on 429, X-RateLimit-Remaining must be 0',
    'limit-plain': 'X-RateLimit-Limit and X-RateLimit-Remaining must be digits alone',
  },
  A08: {
    'retry-agrees': 'Retry-After and X-RateLimit-Reset must name the same instant',
    'retry-ahead': 'Retry-After must be at least one second ahead',
    'retry-not-stored': '429 must have Cache-Control: no-store',
  },
  A12: {
    'list-limit-refused': 'a `limit` out of range must get 400',
    'list-filter-refused': 'an unknown status must get 400',
  },
  A13: { 'get-malformed': 'a malformed id must get 404' },
  A14: {
    'list-filter-absent': 'a list filtered by status must not contain animals without one',
    'create-status-absent': 'an animal created without a status must not have one',
  },
  A15: {
    'list-full': 'a list must contain `limit` animals if the store has that many',
    'list-ids-ascend': 'ids must ascend',
    'page-linked': 'a list with further animals must have a Link to the next page',
    'page-limit': 'the link rel="next" must keep the limit',
    'page-cursor-refused': 'an invalid cursor must get 400',
  },
  A16: {
    'create-location': '201 must have the Location of the new animal',
    'create-accepts': 'any name and any category must be accepted',
    'create-refuses-form': 'a body that is not JSON, or not labelled as JSON, must get 400',
    'create-refuses-null': 'a status that is null must get 400',
    'create-spaces': 'a name must keep its double spaces and line breaks',
    'create-again': 'an equal second body must create another animal',
  },
  A17: {
    'deprecation-sunset': 'getPet must announce its removal in Sunset',
    'deprecation-successor': 'getPet must link to its successor',
    'deprecation-only': 'no other operation may announce its removal',
  },
  A18: {
    'route-unknown': 'an unknown path must get 404',
    'method-unknown': 'an unsupported method must get 405',
    'head-as-get': 'HEAD must be answered like GET, without a body',
  },
  A20: { 'error-shape': errorShape },
  A21: { 'orders-answer': 'GET /store/orders must answer 200' },
} as const

type IdsOf<Sections> = { [S in keyof Sections]: keyof Sections[S] }[keyof Sections]

/** The ids are public: reports name them. */
export type CheckId =
  | IdsOf<typeof specification>
  | keyof typeof contract
  | IdsOf<typeof rfc>
  | IdsOf<typeof assumption>
  | keyof typeof assumedContractChecks

function from(
  sections: Readonly<Record<string, Readonly<Record<string, string>>>>,
  sourceOf: (section: string) => string,
  severity: Severity = 'error',
) {
  return Object.entries(sections).flatMap(([section, sentences]) => {
    const source = sourceOf(section)
    return Object.entries(sentences).map(([id, says]) => [id, { says, source, severity }] as const)
  })
}

export const checks = Object.fromEntries([
  ...from(specification, section => `specification, “${section}”`),
  ...from({ responses: contract }, part => `contract, ${part}`),
  ...from(rfc, section => section),
  ...from(assumption, id => `assumption ${id}`, 'info'),
  ...from({ marked }, () => 'contract, x-assumption', 'info'),
]) as Readonly<Record<CheckId, ServiceCheck>>

/** All but the one that needs the traffic of clients. */
export const checkIds = (Object.keys(checks) as readonly CheckId[]).filter(id => id !== 'limit-reset-steady')

/** The checks of `pet-mock proxy`, apart from those of the contract. */
export const proxyIds = [
  'availability',
  'auth-missing',
  'auth-first',
  'error-status',
  'json-no-mark',
  'limit-headers',
  'limit-integers',
  'limit-plain',
  'limit-remaining-range',
  'limit-of-plan',
  'limit-counts-down',
  'limit-reset-seconds',
  'limit-reset-ahead',
  'limit-reset-steady',
  'list-limit',
  'list-default',
  'list-filter',
  'list-filter-absent',
  'get-same',
  'create-as-sent',
  'int64-exact',
  'page-continues',
  'retry-missing',
  'retry-format',
  'retry-past',
  'retry-agrees',
] as const satisfies readonly CheckId[]

export type ProxyCheckId = (typeof proxyIds)[number]

export function isProxyCheck(id: CheckId): id is ProxyCheckId {
  return proxyIds.some(known => known === id)
}

const oneCounter = 'If several instances run, let them share one counter.'

const remedies: Partial<Record<CheckId, string>> = {
  'auth-missing': 'Check the key before the operation runs.',
  'error-status': 'Write the HTTP status of the response into the field status.',
  'json-no-mark': 'Write the JSON in UTF-8, without a mark in front.',
  'limit-headers': 'Add X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset to errors, too.',
  'limit-counts-down': `Count each accepted request once. ${oneCounter}`,
  'limit-reset-seconds': 'Send the seconds since 1970, not milliseconds and not the seconds left.',
  'limit-reset-ahead': 'Send the end of the window that runs now.',
  'limit-reset-steady': `Keep the end of a window until it is over. ${oneCounter}`,
  'page-continues': 'Let each link lead to the page after the last animal of its own page.',
  'retry-missing': 'Send Retry-After with each 429.',
  'retry-format': 'Send whole seconds, or an HTTP date.',
  'retry-past': 'Send the time when requests are accepted again.',
}

export function remedyOf(id: CheckId): string {
  const { source, severity } = checks[id]
  if (severity === 'info')
    return `The service may differ here: the specification does not say this (${source} of pet-mock, docs/assumptions.md).`
  return [remedies[id], `Required by: ${source}.`].filter(Boolean).join(' ')
}
