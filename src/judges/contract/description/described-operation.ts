import type { AreaOperation } from '../../../emulator/gates/open-areas.ts'
import type { Stability } from '../../../service/operations/operations.ts'
import { isEmulated } from '../../../service/operations/routes.ts'
import type { Operation } from '../prism/prism.ts'

/** An operation of a contract, and where pet-mock has it. */
export interface Described extends Pick<AreaOperation, 'id' | 'stability'> {
  /** In upper case. */
  readonly method: string
  /** As the contract writes it. */
  readonly path: string
  /** As people ask for it, under `/v1` whatever the contract's servers are. */
  readonly shown: string
  /** Of `shown`, after `/v1`; an empty one stands for a parameter. */
  readonly segments: readonly string[]
  readonly isEmulated: boolean
  readonly operation: Operation
}

/** The methods by which something can be asked; the others are answered alike for every path (A18). */
const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

export function describe(operation: Operation): Described | undefined {
  const method = operation.method.toUpperCase()
  const { path, iid } = operation
  if (!methods.has(method)) return undefined
  const shown = isUnderApi(path) ? path : `/v1${path}`
  const segments = shown
    .split('/')
    .slice(2)
    .map(segment => (segment.includes('{') ? '' : segment))
  return {
    id: iid ?? `${method} ${shown}`,
    stability: stabilityOf(operation.extensions?.['x-stability']),
    method,
    path,
    shown,
    segments,
    isEmulated: isEmulated(segments, method),
    operation,
  }
}

/**
 * A path that leads to an operation, as the contract would write it, by its decoded segments after `/v1`: Prism's router
 * knows no other spelling.
 */
export function writtenPath({ path, shown, segments }: Described, called: readonly string[]): string {
  const written = segments.map((name, index) => name || encodeSegment(called[index] ?? ''))
  return `${path === shown ? '/v1' : ''}/${written.join('/')}`
}

/** A URL has no segments of dots: what stands for them is no number, and no id. */
function encodeSegment(text: string): string {
  return /^\.{1,2}$/.test(text) ? text.replaceAll('.', '%252E') : encodeURIComponent(text)
}

/** Some write the base path into their paths. */
export function isUnderApi(path: string): boolean {
  return path.startsWith('/v1/')
}

function stabilityOf(mark: unknown): Stability | undefined {
  return mark === 'experimental' || mark === 'beta' ? mark : undefined
}
