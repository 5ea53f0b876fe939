import { contractChecks } from '../../contract/contract-report.ts'

export interface Check {
  /** What must hold, as a sentence without its full stop. */
  readonly says: string
  /** The origin of the requirement: `specification, “Errors”`. */
  readonly source: string
  /** An assumption fills a gap of the specification. Services need not follow it: a failure is a difference, not an error. */
  readonly isAssumed: boolean
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
    'limit-integers': 'X-RateLimit-Limit and X-RateLimit-Remaining must be plain integers',
    'limit-of-plan': 'X-RateLimit-Limit must be a limit of the plan',
    'limit-remaining-range': 'X-RateLimit-Remaining must not exceed X-RateLimit-Limit',
    'limit-counts-down': 'X-RateLimit-Remaining must decrease with every accepted request in a window',
    'limit-counts-once': 'a request must use up one request of the quota',
    'limit-counts-own': 'a request without the key must not use up its quota',
    'limit-reset-seconds': 'X-RateLimit-Reset must be a Unix timestamp in seconds',
    'limit-reset-ahead': 'X-RateLimit-Reset must be in the future, at most one window ahead',
    'limit-resets': 'a request must be accepted again at X-RateLimit-Reset',
    'limit-enforced': 'a request over the limit must get 429',
    'limit-not-early': 'a request must not get 429 while X-RateLimit-Remaining is above 0',
    'limit-refused-window': '429 must report the window that has no requests left',
    'retry-works': 'a request after Retry-After must be accepted',
    'retry-too-long': 'Retry-After must not exceed the window of the exceeded limit',
  },
  Endpoints: {
    'list-answers': 'listPets must answer a documented request with 200',
    'list-filter': 'a list filtered by status must contain only animals with that status',
    'list-filter-complete': 'a list filtered by status must contain every animal with that status',
    'get-answers': 'getPet must answer 200 for an id from the list',
    'get-same': 'getPet must return the same fields as the list',
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
  Versioning: {
    'deprecation-date': 'the removal date of getPet must be 5 December 2030',
    'deprecation-only': 'no other operation may announce its removal',
  },
} as const

const { 'contract-request': _ofClients, ...contract } = contractChecks

const rfc = {
  'RFC 8288': {
    'page-continues': 'the links rel="next" must lead to every animal, once',
    'page-filter': 'the link rel="next" of a filtered list must keep the filter',
  },
  'RFC 9110': { 'answers-at-all': 'every request must get a complete response' },
  'RFC 9110, section 10.2.3': { 'retry-format': 'Retry-After must be a number of seconds, or a date' },
  'RFC 9110, section 11.1': { 'auth-scheme-case': 'the name of the scheme must be case-insensitive' },
  'RFC 9110, section 15.3.2': {
    'create-location-own': 'the Location of 201 must be the one of the new animal',
  },
  'RFC 9110, section 15.5.2': { 'auth-challenge': '401 must have a challenge in WWW-Authenticate' },
  'RFC 9110, section 15.5.6': { 'method-allow': '405 must list the supported methods in Allow' },
  'RFC 9110, section 15.6': { 'server-error': 'a request must not get 5xx, again and again' },
} as const

const assumption = {
  A03: {
    'limit-counts-errors': 'a request that gets an error must count, too',
    'limit-headers-elsewhere': 'responses without an operation must have the rate limit headers, too',
  },
  A05: {
    'limit-steady': 'X-RateLimit-Remaining must not recover within a window',
    'limit-whole': 'a new window must begin with the whole limit',
  },
  A06: { 'limit-remaining-zero': 'on 429, X-RateLimit-Remaining must be 0' },
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
  },
  A17: {
    'deprecation-sunset': 'getPet must announce its removal in Sunset',
    'deprecation-successor': 'getPet must link to its successor',
  },
  A18: {
    'route-unknown': 'an unknown path must get 404',
    'method-unknown': 'an unsupported method must get 405',
    'head-as-get': 'HEAD must be answered like GET, without a body',
  },
  A20: { 'error-shape': 'an error that the specification does not document must be an Error, too' },
  A21: { 'orders-answer': 'GET /store/orders must answer 200' },
} as const

/** What openapi.yaml marks with x-assumption. */
const marked = { 'contract-assumed': 'what the contract assumes about responses must hold' } as const

type IdsOf<Sections> = { [S in keyof Sections]: keyof Sections[S] }[keyof Sections]

/** The ids are public: reports name them. */
export type CheckId =
  | IdsOf<typeof specification>
  | keyof typeof contract
  | IdsOf<typeof rfc>
  | IdsOf<typeof assumption>
  | keyof typeof marked

function from(
  sections: Readonly<Record<string, Readonly<Record<string, string>>>>,
  sourceOf: (section: string) => string,
  isAssumed = false,
) {
  return Object.entries(sections).flatMap(([section, sentences]) => {
    const source = sourceOf(section)
    return Object.entries(sentences).map(([id, says]) => [id, { says, source, isAssumed }] as const)
  })
}

/** Every check of `pet-mock check`. */
export const checks = Object.fromEntries([
  ...from(specification, section => `specification, “${section}”`),
  ...from({ responses: contract }, part => `contract, ${part}`),
  ...from(rfc, section => section),
  ...from(assumption, id => `assumption ${id}`, true),
  ...from({ marked }, () => 'contract, x-assumption', true),
]) as Readonly<Record<CheckId, Check>>

export const checkIds = Object.keys(checks) as readonly CheckId[]
