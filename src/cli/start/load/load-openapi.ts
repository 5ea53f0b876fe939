import type { LoadedAreas } from '../../../doors/disk/load-areas.ts'
import type { Scenario } from '../../../emulator/worlds/scenario.ts'
import type { ContractAreas } from '../../../judges/contract/open-areas/areas.ts'
import type { Loading } from './load-scenario.ts'
import type { UserFiles } from './user-files.ts'

/** What --openapi comes to. */
export interface OpenApi {
  readonly areas: ContractAreas
  /** What a person is told of it, a line each. */
  readonly lines: readonly string[]
  /** The text of its files: another one, when one of them was changed. */
  readonly text: string
}

/** The contract of the user's that --openapi names. This loads Prism. */
export async function loadOpenApi(
  path: string,
  source: string,
  { orders }: Pick<Scenario, 'orders'>,
  { readText }: Pick<UserFiles, 'readText'>,
): Promise<Loading<OpenApi>> {
  const { loadAreas } = await import('../../../doors/disk/load-areas.ts')
  const loading = await loadAreas(path, readText)
  if (!loading.ok)
    return {
      ok: false,
      complaints: loading.complaints.map(text => (isPlaced(text) ? text : `${source}: ${text}`)),
    }
  const { areas, text, judgeOrders } = loading.value
  return { ok: true, value: { areas, text, lines: tell(path, loading.value, await judgeOrders(orders)) } }
}

/** Whether a complaint begins with its `file:line:column`. */
function isPlaced(complaint: string): boolean {
  return /^.*:\d+:\d+: /.test(complaint)
}

const mostContradictions = 50

function tell(
  path: string,
  { areas, contradictions }: LoadedAreas,
  ofOrders: readonly string[],
): readonly string[] {
  const { operations, served } = areas
  const isServed = new Set(served.map(({ described }) => described))
  const from = (source: string) =>
    served.filter(one => one.source === source).map(({ described }) => described)
  const all = [...contradictions, ...ofOrders]
  const left = all.length - mostContradictions
  return [
    `Contract ${path}`,
    `  emulated: ${list(operations.filter(one => one.isEmulated && !isServed.has(one)))}`,
    `  from the contract, as collections: ${list(from('collection'))}`,
    `  from the contract, by its examples and schemas: ${list(from('mocker'))}`,
    ...(all.length === 0 ? ['  the emulator contradicts none of it'] : ['  the emulator contradicts it:']),
    ...all.slice(0, mostContradictions).map(text => `    ${text}`),
    ...(left > 0 ? [`    and ${left} more`] : []),
  ]
}

function list(operations: readonly { readonly method: string; readonly shown: string }[]): string {
  if (operations.length === 0) return 'nothing'
  return operations.map(({ method, shown }) => `${method} ${shown}`).join(', ')
}
