import type { RuleId } from '../src/judges/check/checks.ts'

/**
 * What the specification says or leaves open beside what openapi.yaml can hold, section by section. Of each: the rules of
 * `pet-mock check` that look at it, the assumption that fills it, or that it is open.
 */
export interface Statement {
  readonly section: string
  readonly says: string
  readonly verdict:
    | { readonly rules: readonly RuleId[] }
    | { readonly assumed: readonly string[] }
    | { readonly open: string }
}

/** The answers that the specification documents: by operation, and 429 for any. Those of orders are not shown. */
export const specifiedAnswers: Readonly<Record<string, readonly string[]>> = {
  listPets: ['200', '401', '429'],
  createPet: ['201', '400', '401', '429'],
  getPet: ['200', '401', '404', '429'],
}

const emulated = (...rules: readonly RuleId[]) => ({ rules })
const assumed = (...ids: readonly string[]) => ({ assumed: ids })
const open = (why: string) => ({ open: why })

export const statements: readonly Statement[] = [
  {
    section: 'What the service does',
    says: 'Animals are listed, created and fetched individually',
    verdict: emulated('list-answers', 'create-answers', 'get-answers'),
  },
  {
    section: 'What the service does',
    says: 'Each animal belongs to a category, by a numeric identifier',
    verdict: emulated('create-as-sent', 'contract-body'),
  },
  { section: 'What the service does', says: 'Whether a category must exist', verdict: assumed('A16') },
  {
    section: 'What the service does',
    says: 'A store orders area: `GET /store/orders`',
    verdict: emulated('orders-answer'),
  },
  {
    section: 'What the service does',
    says: 'Parameters and payload of `GET /store/orders`',
    verdict: assumed('A21'),
  },
  {
    section: 'What the service does',
    says: 'A categories area',
    verdict: open(
      'no operation of it is shown; `fixtures/categories.yaml` names the categories that the pets bear',
    ),
  },
  {
    section: 'What the service does',
    says: 'Addresses of production and staging',
    verdict: open('they are not published; pet-mock has an address of its own'),
  },
  {
    section: 'Resources and their fields',
    says: 'A status is available, pending or sold',
    verdict: emulated('contract-body', 'create-refuses'),
  },
  { section: 'Resources and their fields', says: 'A status that is not given', verdict: assumed('A14') },
  { section: 'Resources and their fields', says: 'Identifiers are int64', verdict: emulated('int64-exact') },
  {
    section: 'Resources and their fields',
    says: 'Identifiers are unique, and assigned on creation',
    verdict: emulated('list-ids-unique', 'create-new-id'),
  },
  {
    section: 'Resources and their fields',
    says: 'Fields of categories and orders',
    verdict: open('none is shown; orders are records of any fields (A21)'),
  },
  {
    section: 'States and transitions',
    says: 'How the status of an animal changes',
    verdict: open('no operation that changes one is described; the admin plane can'),
  },
  {
    section: 'Endpoints',
    says: 'A list has `limit` animals at most, from 1 to 100',
    verdict: emulated('list-limit', 'list-answers'),
  },
  { section: 'Endpoints', says: 'Without `limit` a list has 20 at most', verdict: emulated('list-default') },
  { section: 'Endpoints', says: 'A `limit` or `status` that is out of range', verdict: assumed('A12') },
  {
    section: 'Endpoints',
    says: '`status` filters',
    verdict: emulated('list-filter', 'list-filter-complete'),
  },
  { section: 'Endpoints', says: 'The order of a list', verdict: assumed('A15') },
  { section: 'Endpoints', says: 'How the next page is asked for', verdict: assumed('A15') },
  {
    section: 'Endpoints',
    says: 'A body without required fields, or with invalid values, gets 400',
    verdict: emulated('create-refuses'),
  },
  {
    section: 'Endpoints',
    says: 'A body that is not JSON, not labelled so, or too large',
    verdict: assumed('A16'),
  },
  { section: 'Endpoints', says: 'An id that nobody has gets 404', verdict: emulated('get-unknown') },
  { section: 'Endpoints', says: 'A `petId` that is no integer', verdict: assumed('A13') },
  { section: 'Endpoints', says: 'Paths and methods that are not described', verdict: assumed('A18') },
  { section: 'Endpoints', says: 'Which operations bear a stability marker', verdict: assumed('A21') },
  {
    section: 'Authentication',
    says: 'The key is a bearer token; missing or invalid, it gets 401',
    verdict: emulated('auth-missing', 'auth-invalid', 'auth-accepted', 'auth-scheme'),
  },
  { section: 'Authentication', says: 'The codes and the challenge of 401', verdict: assumed('A02') },
  { section: 'Authentication', says: 'What is checked first', verdict: assumed('A01') },
  {
    section: 'Authentication',
    says: 'Requests that go on after 429 may ban the key: when, and for how long',
    verdict: assumed('A10'),
  },
  {
    section: 'Authentication',
    says: 'How keys are issued, scoped and revoked',
    verdict: open('not shown; scenario files and the admin plane add and revoke them'),
  },
  { section: 'Events', says: 'Webhooks and notifications', verdict: open('none is described') },
  {
    section: 'Errors',
    says: 'Every error is an Error, with the status in it',
    verdict: emulated('contract-body', 'error-status'),
  },
  {
    section: 'Errors',
    says: 'The set of values of `code`',
    verdict: assumed('A02', 'A09', 'A10', 'A12', 'A13', 'A16', 'A17', 'A18', 'A20', 'A22'),
  },
  { section: 'Errors', says: 'The body of 429', verdict: assumed('A09') },
  { section: 'Errors', says: 'What an unexpected failure is answered with', verdict: assumed('A20') },
  {
    section: 'Limits',
    says: 'Requests per minute and per day of Free, Pro and Business',
    verdict: emulated('limit-of-plan', 'limit-enforced', 'limit-not-early'),
  },
  { section: 'Limits', says: 'The limits of Enterprise', verdict: assumed('A11') },
  {
    section: 'Limits',
    says: 'Three headers on every response, integers',
    verdict: emulated('limit-headers', 'limit-integers', 'limit-remaining-range'),
  },
  {
    section: 'Limits',
    says: 'Remaining tells what is left in the window',
    verdict: emulated('limit-counts-down'),
  },
  {
    section: 'Limits',
    says: 'Reset is a Unix timestamp',
    verdict: emulated('limit-reset-seconds', 'limit-reset-ahead'),
  },
  { section: 'Limits', says: 'When a window begins', verdict: assumed('A05') },
  { section: 'Limits', says: 'Which of the two windows the headers tell of', verdict: assumed('A06') },
  { section: 'Limits', says: 'Which calls count', verdict: assumed('A03', 'A07') },
  { section: 'Limits', says: 'What callers without a key are told', verdict: assumed('A04') },
  {
    section: 'Limits',
    says: 'A request over the limit gets 429, in every operation',
    verdict: emulated('limit-enforced', 'limit-every-operation'),
  },
  {
    section: 'Limits',
    says: '`Retry-After` tells when to retry',
    verdict: emulated('retry-works', 'contract-header'),
  },
  { section: 'Limits', says: 'Format and unit of `Retry-After`', verdict: assumed('A08') },
  {
    section: 'Versioning',
    says: 'The version is the segment `/v1` of the path',
    verdict: emulated('route-unknown'),
  },
  {
    section: 'Versioning',
    says: 'getPet is to be removed on 5 December 2030',
    verdict: emulated('deprecation-date', 'deprecation-only'),
  },
  { section: 'Versioning', says: 'How deprecation is told, and what follows it', verdict: assumed('A17') },
  { section: 'Versioning', says: 'A wider compatibility policy', verdict: open('not shown') },
  { section: 'Not mentioned', says: 'Calls from web pages (CORS)', verdict: assumed('A19') },
  { section: 'Not mentioned', says: 'Requests for another host', verdict: assumed('A22') },
]
