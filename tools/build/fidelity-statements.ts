import type { CheckId } from '../../src/judges/conformance/checks.ts'
import type { OperationId } from '../../src/service/operations/operations.ts'

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

const bySection: Readonly<
  Record<string, readonly (readonly [says: string, verdict: Statement['verdict']])[]>
> = {
  'What the service does': [
    ['Clients can list animals, `GET /pets`', emulated('list-answers')],
    ['Clients can create an animal, `POST /pets`', emulated('create-answers')],
    ['Clients can get an animal by its id, `GET /pets/{petId}`', emulated('get-answers')],
    ['Each animal has a category with a numeric id', emulated('create-as-sent', 'contract-body')],
    ['Whether a category must exist', assumed('A16')],
    ['There is a store orders area, `GET /store/orders`', emulated('orders-answer')],
    ['The parameters and the payload of `GET /store/orders`', assumed('A21')],
    [
      'There is a categories area',
      open('no operation is shown; `fixtures/categories.yaml` names the categories of the animals'),
    ],
    ['The addresses of production and staging', open('they are not published; pet-mock has its own address')],
  ],
  'Resources and their fields': [
    ['The status is available, pending or sold', emulated('contract-body', 'create-refuses')],
    ['A missing status', assumed('A14')],
    ['Ids are int64', emulated('int64-exact')],
    ['Ids are unique and assigned on creation', emulated('list-ids-unique', 'create-new-id')],
    ['The fields of categories and orders', open('none are shown; orders may have any fields (A21)')],
  ],
  'States and transitions': [
    ['How an animal changes its status', open('no operation changes it; the admin plane can')],
  ],
  Endpoints: [
    ['A list has at most `limit` animals, from 1 to 100', emulated('list-limit', 'list-answers')],
    ['Without `limit`, a list has at most 20 animals', emulated('list-default')],
    ['A `limit` or `status` out of range', assumed('A12')],
    ['`status` filters the list', emulated('list-filter', 'list-filter-complete')],
    ['The order of a list', assumed('A15')],
    ['How to get the next page', assumed('A15')],
    ['A body with missing fields or invalid values gets 400', emulated('create-refuses', 'create-nothing')],
    ['A body that is not JSON, not labelled as JSON, or too large', assumed('A16')],
    ['An unknown id gets 404', emulated('get-unknown')],
    ['A `petId` that is not an integer', assumed('A13')],
    ['Unknown paths and methods', assumed('A18')],
    ['Which operations have a stability marker', assumed('A21')],
  ],
  Authentication: [
    [
      'The key is a bearer token; a missing or invalid key gets 401',
      emulated('auth-missing', 'auth-invalid', 'auth-accepted', 'auth-scheme'),
    ],
    ['The codes and the challenge of a 401', assumed('A02')],
    ['The order of the checks on a request', assumed('A01')],
    ['When and for how long a key is banned for requests after 429', assumed('A10')],
    [
      'How keys are issued, scoped and revoked',
      open('not shown; scenario files and the admin plane add and revoke them'),
    ],
  ],
  Events: [['Webhooks and notifications', open('none are described')]],
  Errors: [
    ['Every error is an Error with the status in it', emulated('contract-body', 'error-status')],
    ['The values of `code`', assumed('A02', 'A09', 'A10', 'A12', 'A13', 'A16', 'A17', 'A18', 'A20', 'A22')],
    ['The body of a 429', assumed('A09')],
    ['The response to an unexpected failure', assumed('A20')],
  ],
  Limits: [
    [
      'Requests per minute and per day for Free, Pro and Business',
      emulated('limit-of-plan', 'limit-enforced', 'limit-not-early'),
    ],
    ['The limits of Enterprise', assumed('A11')],
    [
      'Every response has three headers with integers',
      emulated('limit-headers', 'limit-integers', 'limit-remaining-range'),
    ],
    [
      'Remaining is the number of requests left in the window',
      emulated('limit-counts-down', 'limit-counts-once', 'limit-counts-own'),
    ],
    ['Reset is a Unix timestamp', emulated('limit-reset-seconds', 'limit-reset-ahead', 'limit-resets')],
    ['When a window begins', assumed('A05')],
    ['Which of the two windows the headers describe', assumed('A06')],
    ['Which calls count', assumed('A03', 'A07')],
    ['The headers for callers without a key', assumed('A04')],
    [
      'The headers of OPTIONS and of a refused Host, and none on what the HTTP parser refuses',
      assumed('A03', 'A04'),
    ],
    [
      'A request over the limit gets 429, on every operation',
      emulated('limit-enforced', 'limit-every-operation', 'limit-refused-window'),
    ],
    ['`Retry-After` says when to retry', emulated('retry-works', 'retry-too-long', 'contract-header')],
    ['The format and unit of `Retry-After`', assumed('A08')],
  ],
  Versioning: [
    ['The version is the path segment `/v1`', emulated('route-unknown')],
    ['getPet is removed on 5 December 2030', emulated('deprecation-date', 'deprecation-only')],
    ['How deprecation is announced, and what follows removal', assumed('A17')],
    ['A wider compatibility policy', open('not shown')],
  ],
  'Not mentioned': [
    ['Requests from web pages (CORS)', assumed('A19')],
    ['Requests for another host', assumed('A22')],
  ],
}

export const statements: readonly Statement[] = Object.entries(bySection).flatMap(([section, all]) =>
  all.map(([says, verdict]) => ({ section, says, verdict })),
)
