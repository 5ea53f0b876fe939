import type { CheckId } from '../src/judges/check/calls/checks.ts'
import type { OperationId } from '../src/service/operations/operations.ts'

/**
 * What the specification says or leaves open beyond openapi.yaml, by section. Each statement has the checks of
 * `pet-mock check` that cover it, or the assumptions that fill it, or the reason why it stays open. Some statement
 * names each operation as `GET /pets`.
 */
export interface Statement {
  readonly section: string
  readonly says: string
  readonly verdict:
    | { readonly checks: readonly CheckId[] }
    | { readonly assumed: readonly string[] }
    | { readonly open: string }
}

/** The responses that the specification documents, by operation. It shows none for orders. */
export const specifiedResponses: Readonly<Record<OperationId, readonly string[]>> = {
  listPets: ['200', '401', '429'],
  createPet: ['201', '400', '401', '429'],
  getPet: ['200', '401', '404', '429'],
  listOrders: [],
}

const emulated = (...checks: readonly CheckId[]) => ({ checks })
const assumed = (...ids: readonly string[]) => ({ assumed: ids })
const open = (why: string) => ({ open: why })

export const statements: readonly Statement[] = [
  {
    section: 'What the service does',
    says: 'Clients can list animals, `GET /pets`',
    verdict: emulated('list-answers'),
  },
  {
    section: 'What the service does',
    says: 'Clients can create an animal, `POST /pets`',
    verdict: emulated('create-answers'),
  },
  {
    section: 'What the service does',
    says: 'Clients can get an animal by its id, `GET /pets/{petId}`',
    verdict: emulated('get-answers'),
  },
  {
    section: 'What the service does',
    says: 'Each animal has a category with a numeric id',
    verdict: emulated('create-as-sent', 'contract-body'),
  },
  { section: 'What the service does', says: 'Whether a category must exist', verdict: assumed('A16') },
  {
    section: 'What the service does',
    says: 'There is a store orders area, `GET /store/orders`',
    verdict: emulated('orders-answer'),
  },
  {
    section: 'What the service does',
    says: 'The parameters and the payload of `GET /store/orders`',
    verdict: assumed('A21'),
  },
  {
    section: 'What the service does',
    says: 'There is a categories area',
    verdict: open('no operation is shown; `fixtures/categories.yaml` names the categories of the animals'),
  },
  {
    section: 'What the service does',
    says: 'The addresses of production and staging',
    verdict: open('they are not published; pet-mock has its own address'),
  },
  {
    section: 'Resources and their fields',
    says: 'The status is available, pending or sold',
    verdict: emulated('contract-body', 'create-refuses'),
  },
  { section: 'Resources and their fields', says: 'A missing status', verdict: assumed('A14') },
  { section: 'Resources and their fields', says: 'Ids are int64', verdict: emulated('int64-exact') },
  {
    section: 'Resources and their fields',
    says: 'Ids are unique and assigned on creation',
    verdict: emulated('list-ids-unique', 'create-new-id'),
  },
  {
    section: 'Resources and their fields',
    says: 'The fields of categories and orders',
    verdict: open('none are shown; orders may have any fields (A21)'),
  },
  {
    section: 'States and transitions',
    says: 'How an animal changes its status',
    verdict: open('no operation changes it; the admin plane can'),
  },
  {
    section: 'Endpoints',
    says: 'A list has at most `limit` animals, from 1 to 100',
    verdict: emulated('list-limit', 'list-answers'),
  },
  {
    section: 'Endpoints',
    says: 'Without `limit`, a list has at most 20 animals',
    verdict: emulated('list-default'),
  },
  { section: 'Endpoints', says: 'A `limit` or `status` out of range', verdict: assumed('A12') },
  {
    section: 'Endpoints',
    says: '`status` filters the list',
    verdict: emulated('list-filter', 'list-filter-complete'),
  },
  { section: 'Endpoints', says: 'The order of a list', verdict: assumed('A15') },
  { section: 'Endpoints', says: 'How to get the next page', verdict: assumed('A15') },
  {
    section: 'Endpoints',
    says: 'A body with missing fields or invalid values gets 400',
    verdict: emulated('create-refuses', 'create-nothing'),
  },
  {
    section: 'Endpoints',
    says: 'A body that is not JSON, not labelled as JSON, or too large',
    verdict: assumed('A16'),
  },
  { section: 'Endpoints', says: 'An unknown id gets 404', verdict: emulated('get-unknown') },
  { section: 'Endpoints', says: 'A `petId` that is not an integer', verdict: assumed('A13') },
  { section: 'Endpoints', says: 'Unknown paths and methods', verdict: assumed('A18') },
  { section: 'Endpoints', says: 'Which operations have a stability marker', verdict: assumed('A21') },
  {
    section: 'Authentication',
    says: 'The key is a bearer token; a missing or invalid key gets 401',
    verdict: emulated('auth-missing', 'auth-invalid', 'auth-accepted', 'auth-scheme'),
  },
  { section: 'Authentication', says: 'The codes and the challenge of a 401', verdict: assumed('A02') },
  { section: 'Authentication', says: 'The order of the checks on a request', verdict: assumed('A01') },
  {
    section: 'Authentication',
    says: 'When and for how long a key is banned for requests after 429',
    verdict: assumed('A10'),
  },
  {
    section: 'Authentication',
    says: 'How keys are issued, scoped and revoked',
    verdict: open('not shown; scenario files and the admin plane add and revoke them'),
  },
  { section: 'Events', says: 'Webhooks and notifications', verdict: open('none are described') },
  {
    section: 'Errors',
    says: 'Every error is an Error with the status in it',
    verdict: emulated('contract-body', 'error-status'),
  },
  {
    section: 'Errors',
    says: 'The values of `code`',
    verdict: assumed('A02', 'A09', 'A10', 'A12', 'A13', 'A16', 'A17', 'A18', 'A20', 'A22'),
  },
  { section: 'Errors', says: 'The body of a 429', verdict: assumed('A09') },
  { section: 'Errors', says: 'The response to an unexpected failure', verdict: assumed('A20') },
  {
    section: 'Limits',
    says: 'Requests per minute and per day for Free, Pro and Business',
    verdict: emulated('limit-of-plan', 'limit-enforced', 'limit-not-early'),
  },
  { section: 'Limits', says: 'The limits of Enterprise', verdict: assumed('A11') },
  {
    section: 'Limits',
    says: 'Every response has three headers with integers',
    verdict: emulated('limit-headers', 'limit-integers', 'limit-remaining-range'),
  },
  {
    section: 'Limits',
    says: 'Remaining is the number of requests left in the window',
    verdict: emulated('limit-counts-down', 'limit-counts-once', 'limit-counts-own'),
  },
  {
    section: 'Limits',
    says: 'Reset is a Unix timestamp',
    verdict: emulated('limit-reset-seconds', 'limit-reset-ahead', 'limit-resets'),
  },
  { section: 'Limits', says: 'When a window begins', verdict: assumed('A05') },
  { section: 'Limits', says: 'Which of the two windows the headers describe', verdict: assumed('A06') },
  { section: 'Limits', says: 'Which calls count', verdict: assumed('A03', 'A07') },
  { section: 'Limits', says: 'The headers for callers without a key', verdict: assumed('A04') },
  {
    section: 'Limits',
    says: 'The headers of OPTIONS and of a refused Host, and none on what the HTTP parser refuses',
    verdict: assumed('A03', 'A04'),
  },
  {
    section: 'Limits',
    says: 'A request over the limit gets 429, on every operation',
    verdict: emulated('limit-enforced', 'limit-every-operation', 'limit-refused-window'),
  },
  {
    section: 'Limits',
    says: '`Retry-After` says when to retry',
    verdict: emulated('retry-works', 'retry-too-long', 'contract-header'),
  },
  { section: 'Limits', says: 'The format and unit of `Retry-After`', verdict: assumed('A08') },
  {
    section: 'Versioning',
    says: 'The version is the path segment `/v1`',
    verdict: emulated('route-unknown'),
  },
  {
    section: 'Versioning',
    says: 'getPet is removed on 5 December 2030',
    verdict: emulated('deprecation-date', 'deprecation-only'),
  },
  {
    section: 'Versioning',
    says: 'How deprecation is announced, and what follows removal',
    verdict: assumed('A17'),
  },
  { section: 'Versioning', says: 'A wider compatibility policy', verdict: open('not shown') },
  { section: 'Not mentioned', says: 'Requests from web pages (CORS)', verdict: assumed('A19') },
  { section: 'Not mentioned', says: 'Requests for another host', verdict: assumed('A22') },
]
