import type { ProblemCode } from '../call/problems.ts'

/** Marks an operation that may still change (A21). */
export type Stability = 'experimental' | 'beta'

/** When an operation goes, and what replaces it. */
export interface Deprecation {
  /** The date of deprecation, if the specification names one. */
  readonly since?: string
  /** The date of removal, which starts at midnight UTC (A17). */
  readonly removedOn: string
  readonly replacement: { readonly method: string; readonly path: string; readonly using: string }
}

type Role = 'list' | 'create' | 'read' | 'change'

/** One operation, as openapi.yaml describes it. */
interface Declaration {
  readonly id: string
  readonly method: string
  /** Below `/v1`; `{name}` matches one segment. */
  readonly path: `/${string}`
  /** Without a role: the specification names the operation, and shows neither a payload nor errors. */
  readonly role?: Role
  /** The query parameters that it reads. Default: none. */
  readonly parameters?: readonly string[]
  /** The fields that it reads from its body. Without them, it reads no body. */
  readonly fields?: readonly string[]
  /** The code of its 404. */
  readonly missing?: ProblemCode
  readonly stability?: Stability
  readonly deprecated?: Deprecation
}

/** Every operation of the API. Routing, `Allow`, CORS, rules, filters and the journal read this table. */
const declarations = [
  { id: 'listPets', method: 'GET', path: '/pets', role: 'list', parameters: ['limit', 'status', 'cursor'] },
  {
    id: 'createPet',
    method: 'POST',
    path: '/pets',
    role: 'create',
    fields: ['name', 'categoryId', 'status'],
  },
  {
    id: 'getPet',
    method: 'GET',
    path: '/pets/{petId}',
    role: 'read',
    missing: 'pet_not_found',
    deprecated: {
      removedOn: '2030-12-05',
      replacement: { method: 'GET', path: '/pets', using: 'its status filter' },
    },
  },
  { id: 'listOrders', method: 'GET', path: '/store/orders', stability: 'experimental' },
] as const satisfies readonly Declaration[]

export type OperationId = (typeof declarations)[number]['id']

export interface Operation extends Declaration {
  readonly id: OperationId
}

export const operations: readonly Operation[] = declarations

export const operationIds: readonly OperationId[] = operations.map(({ id }) => id)

const byId = Object.fromEntries(operations.map(one => [one.id, one])) as Record<OperationId, Operation>

export function operationOf(id: OperationId): Operation {
  return byId[id]
}

export function roleOf(id: OperationId | undefined): Role | undefined {
  return id && operationOf(id).role
}

/** The parameters of every list of pets. */
export function listParameters(): readonly string[] {
  return operations.flatMap(({ role, parameters = [] }) => (role === 'list' ? parameters : []))
}
