import { isEmulated } from '../../../service/operations/routes.ts'
import { isUnderApi } from '../description/find-contradictions.ts'
import type { Operation } from '../prism/prism.ts'

/** An operation of a user's contract, and where pet-mock serves it. */
export type Described = NonNullable<ReturnType<typeof describeOperation>>

/** The other methods get the same answer on every path (A18). */
const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

export function describeOperation(operation: Operation) {
  const { path, iid, extensions } = operation
  const method = operation.method.toUpperCase()
  if (!methods.has(method)) return undefined
  const fullPath = isUnderApi(path) ? path : `/v1${path}`
  const segments: readonly string[] = fullPath
    .split('/')
    .slice(2)
    .map(segment => (segment.includes('{') ? '' : segment))
  const mark = extensions?.['x-stability']
  return {
    id: iid ?? `${method} ${fullPath}`,
    stability: mark === 'experimental' || mark === 'beta' ? mark : undefined,
    /** In upper case. */
    method,
    /** As the contract writes it. */
    path,
    /** The path below `/v1`, whatever the servers of the contract are. */
    fullPath,
    /** The segments of `fullPath` after `/v1`; a parameter is an empty one. */
    segments,
    /** The names of the parameters by their place in `segments`. */
    parameters: new Map(parametersOf(fullPath)),
    isEmulated: isEmulated(segments, method),
    operation,
  } as const
}

function parametersOf(fullPath: string): readonly (readonly [place: number, name: string])[] {
  const segments = fullPath.split('/').slice(2)
  return segments.flatMap((segment, place) => {
    const name = /^\{([^{}]*)\}$/.exec(segment)?.[1]
    return name === undefined ? [] : [[place, name] as const]
  })
}

/** A request path as the contract writes it, from its decoded segments after `/v1`. Prism's router needs this form. */
export function contractPath({ path, fullPath, segments }: Described, called: readonly string[]): string {
  const written = segments.map((name, index) => name || encodeSegment(called[index] ?? ''))
  return `${path === fullPath ? '/v1' : ''}/${written.join('/')}`
}

/** A URL cannot have a segment of dots, so it is encoded twice. It is neither a number nor an id. */
function encodeSegment(text: string): string {
  return /^\.{1,2}$/.test(text) ? text.replaceAll('.', '%252E') : encodeURIComponent(text)
}
