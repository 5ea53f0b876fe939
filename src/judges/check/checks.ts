/** Where a rule is from. What the specification leaves open is an assumption, which nobody but pet-mock need keep. */
export type Source =
  | { readonly specification: string }
  | { readonly contract: string }
  | { readonly rfc: string }
  | { readonly assumption: string }

export interface Rule {
  /** What must hold, as a sentence without its full stop. */
  readonly says: string
  readonly source: Source
}

const operations = { specification: 'Endpoints' }
const authentication = { specification: 'Authentication' }
const limits = { specification: 'Limits' }
const versioning = { specification: 'Versioning' }

/** Every rule of a conformance run. The ids are part of the interface: reports name them. */
export const rules = {
  'answers-at-all': { says: 'every call is answered', source: { rfc: 'RFC 9110' } },
  'contract-status': {
    says: 'a success has a status that the operation documents',
    source: { contract: 'responses' },
  },
  'contract-media-type': {
    says: 'a body has the media type that is documented',
    source: { contract: 'responses' },
  },
  'contract-header': {
    says: 'the headers that are documented are there, and of their type',
    source: { contract: 'headers' },
  },
  'contract-body': { says: 'a body has the schema that is documented', source: { contract: 'schemas' } },
  'error-status': {
    says: 'the status in an Error is that of the response',
    source: { specification: 'Errors' },
  },
  'limit-headers': { says: 'each response has the three rate limit headers', source: limits },
  'limit-integers': { says: 'the three rate limit headers are plain integers', source: limits },
  'limit-of-plan': { says: 'X-RateLimit-Limit is a limit of the plan', source: limits },
  'limit-remaining-range': {
    says: 'X-RateLimit-Remaining is from 0 to X-RateLimit-Limit',
    source: limits,
  },
  'limit-counts-down': {
    says: 'X-RateLimit-Remaining counts down while the window is the same',
    source: limits,
  },
  'limit-counts-errors': {
    says: 'a call that is answered with an error counts as well',
    source: { assumption: 'A03' },
  },
  'limit-reset-seconds': {
    says: 'X-RateLimit-Reset is a Unix timestamp, which is in seconds',
    source: limits,
  },
  'limit-reset-ahead': {
    says: 'X-RateLimit-Reset lies ahead, by the length of a window at most',
    source: limits,
  },
  'limit-enforced': { says: 'a request over the limit gets 429', source: limits },
  'limit-not-early': {
    says: 'no request gets 429 while X-RateLimit-Remaining tells of some left',
    source: limits,
  },
  'limit-every-operation': {
    says: 'every operation gets 429 while the limit is exceeded',
    source: { specification: 'Errors' },
  },
  'limit-remaining-zero': { says: '429 tells that nothing remains', source: { assumption: 'A06' } },
  'retry-agrees': {
    says: 'Retry-After and X-RateLimit-Reset name one instant',
    source: { assumption: 'A08' },
  },
  'retry-works': { says: 'a call after Retry-After is over is accepted', source: limits },
  'retry-not-stored': { says: '429 carries Cache-Control: no-store', source: { assumption: 'A08' } },
  'auth-missing': { says: 'a call without a key gets 401', source: authentication },
  'auth-invalid': { says: 'a call with an invalid key gets 401', source: authentication },
  'auth-accepted': { says: 'a call with the key is not refused for it', source: authentication },
  'auth-challenge': {
    says: '401 has a challenge, WWW-Authenticate',
    source: { rfc: 'RFC 9110, section 15.5.2' },
  },
  'auth-scheme': { says: 'the challenge is of the scheme Bearer', source: authentication },
  'auth-scheme-case': {
    says: 'the name of the scheme is read in any case',
    source: { rfc: 'RFC 9110, section 11.1' },
  },
  'list-answers': { says: 'listPets answers 200 to what it documents', source: operations },
  'list-default': {
    says: 'a list without limit has 20 animals at most',
    source: { specification: 'Page size' },
  },
  'list-limit': {
    says: 'a list has as many animals as limit at most',
    source: { specification: 'Page size' },
  },
  'list-full': {
    says: 'a list has as many animals as limit, if there are more',
    source: { assumption: 'A15' },
  },
  'list-limit-refused': { says: 'a limit that is out of range gets 400', source: { assumption: 'A12' } },
  'list-filter': { says: 'a list by status has animals of that status alone', source: operations },
  'list-filter-complete': { says: 'a list by status has all animals of that status', source: operations },
  'list-filter-refused': { says: 'an unknown status gets 400', source: { assumption: 'A12' } },
  'list-ids-unique': { says: 'no id occurs twice', source: { specification: 'Resources and their fields' } },
  'list-ids-ascend': { says: 'ids ascend', source: { assumption: 'A15' } },
  'page-linked': { says: 'a list that goes on has a Link to its next page', source: { assumption: 'A15' } },
  'page-continues': {
    says: 'the next page goes on where the one before ended, without gap or repetition',
    source: { assumption: 'A15' },
  },
  'page-cursor-refused': { says: 'a cursor that is none gets 400', source: { assumption: 'A15' } },
  'get-answers': { says: 'getPet answers 200 for an id that the list has', source: operations },
  'get-same': { says: 'getPet tells of an animal what the list tells', source: operations },
  'get-unknown': { says: 'an id that nobody has gets 404', source: { specification: 'Errors' } },
  'get-malformed': { says: 'what is no id gets 404', source: { assumption: 'A13' } },
  'deprecation-sunset': { says: 'getPet tells of its end by Sunset', source: { assumption: 'A17' } },
  'deprecation-date': { says: 'that end is 5 December 2030', source: versioning },
  'deprecation-successor': { says: 'getPet links to its successor', source: { assumption: 'A17' } },
  'deprecation-only': { says: 'no other operation tells of an end', source: versioning },
  'create-answers': { says: 'createPet answers 201 to a NewPet', source: operations },
  'create-as-sent': { says: 'what is made has the fields that were sent', source: operations },
  'create-new-id': {
    says: 'what is made has an id that nobody had',
    source: { specification: 'Resources and their fields' },
  },
  'create-kept': { says: 'what was made is found by its id', source: operations },
  'create-status-absent': { says: 'a status that was not sent stays absent', source: { assumption: 'A14' } },
  'create-location': { says: '201 has the Location of what was made', source: { assumption: 'A16' } },
  'create-refuses': {
    says: 'a body that lacks required fields or has invalid values gets 400',
    source: operations,
  },
  'create-refuses-form': {
    says: 'a body that is not JSON, or not labelled so, gets 400',
    source: { assumption: 'A16' },
  },
  'int64-exact': {
    says: 'integers beyond 2^53 keep all their digits',
    source: { specification: 'Resources and their fields' },
  },
  'orders-answer': { says: 'GET /store/orders answers 200', source: operations },
  'route-unknown': { says: 'a path that is not there gets 404', source: { assumption: 'A18' } },
  'method-unknown': { says: 'a method that is not there gets 405', source: { assumption: 'A18' } },
  'method-allow': { says: '405 tells by Allow what is there', source: { rfc: 'RFC 9110, section 15.5.6' } },
  'head-as-get': { says: 'HEAD is answered like GET, without a body', source: { assumption: 'A18' } },
} as const satisfies Record<string, Rule>

export type RuleId = keyof typeof rules

export const ruleIds = Object.keys(rules) as readonly RuleId[]

/** Where a rule is from, for people. */
export function tellSource(source: Source): string {
  if ('specification' in source) return `specification, “${source.specification}”`
  if ('contract' in source) return `contract, ${source.contract}`
  return 'rfc' in source ? source.rfc : `assumption ${source.assumption}`
}

/** A breach of an assumption says how a service differs from pet-mock, not that it is wrong. */
export function isAssumed(id: RuleId): boolean {
  return 'assumption' in rules[id].source
}
