import { contractChecks } from '../contract/contract-report.ts'

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
    'limit-headers': 'every response must have the three rate limit headers',
    'limit-integers': 'the three rate limit headers must be plain integers',
    'limit-of-plan': 'X-RateLimit-Limit must be a limit of the plan',
    'limit-remaining-range': 'X-RateLimit-Remaining must not exceed X-RateLimit-Limit',
    'limit-counts-down': 'X-RateLimit-Remaining must decrease with every request in a window',
    'limit-reset-seconds': 'X-RateLimit-Reset must be a Unix timestamp in seconds',
    'limit-reset-ahead': 'X-RateLimit-Reset must be in the future, at most one window ahead',
    'limit-enforced': 'a request over the limit must get 429',
    'limit-not-early': 'a request must not get 429 while X-RateLimit-Remaining is above 0',
    'retry-works': 'a request after Retry-After must be accepted',
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
    'create-refuses': 'a body with missing or invalid fields must get 400',
    'orders-answer': 'GET /store/orders must answer 200',
  },
  'Page size': {
    'list-default': 'a list without `limit` must not contain more than 20 animals',
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
  'RFC 9110': { 'answers-at-all': 'every request must get a complete response' },
  'RFC 9110, section 11.1': { 'auth-scheme-case': 'the name of the scheme must be case-insensitive' },
  'RFC 9110, section 15.5.2': { 'auth-challenge': '401 must have a challenge in WWW-Authenticate' },
  'RFC 9110, section 15.5.6': { 'method-allow': '405 must list the supported methods in Allow' },
} as const

const assumption = {
  A03: { 'limit-counts-errors': 'a request that gets an error must count, too' },
  A06: { 'limit-remaining-zero': 'on 429, X-RateLimit-Remaining must be 0' },
  A08: {
    'retry-agrees': 'Retry-After and X-RateLimit-Reset must name the same instant',
    'retry-not-stored': '429 must have Cache-Control: no-store',
  },
  A12: {
    'list-limit-refused': 'a `limit` out of range must get 400',
    'list-filter-refused': 'an unknown status must get 400',
  },
  A13: { 'get-malformed': 'a malformed id must get 404' },
  A14: { 'create-status-absent': 'an animal created without a status must not have one' },
  A15: {
    'list-full': 'a list must contain `limit` animals if the store has that many',
    'list-ids-ascend': 'ids must ascend',
    'page-linked': 'a list with further animals must have a Link to the next page',
    'page-continues': 'the next page must continue after the previous one, without gap or repetition',
    'page-cursor-refused': 'an invalid cursor must get 400',
  },
  A16: {
    'create-location': '201 must have the Location of the new animal',
    'create-refuses-form': 'a body that is not JSON, or not labelled as JSON, must get 400',
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
} as const

type IdsOf<Sections> = { [S in keyof Sections]: keyof Sections[S] }[keyof Sections]

/** The ids are public: reports name them. */
export type CheckId =
  | IdsOf<typeof specification>
  | keyof typeof contract
  | IdsOf<typeof rfc>
  | IdsOf<typeof assumption>

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
]) as Readonly<Record<CheckId, Check>>

export const checkIds = Object.keys(checks) as readonly CheckId[]
