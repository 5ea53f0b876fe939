import type { Scenario } from '../../../emulator/worlds/scenario.ts'
import { type ContractAreas, onlyError } from '../../../judges/contract/open-areas/areas.ts'
import type { LoadedAreas } from '../../../library/files/load-contract.ts'
import { failed, type Loading, type UserFiles } from './loading.ts'

export interface OpenApi {
  readonly areas: ContractAreas
  readonly lines: readonly string[]
  /** The text of all its files, to notice changes. */
  readonly text: string
}

export async function loadOpenApi(
  path: string,
  source: string,
  { orders, only }: Pick<Scenario, 'orders'> & { readonly only: readonly string[] },
  { readText }: Pick<UserFiles, 'readText'>,
): Promise<Loading<OpenApi>> {
  const { loadAreas } = await import('../../../library/files/load-contract.ts')
  const loading = await loadAreas(path, readText, only)
  if (!loading.ok)
    return failed(
      ...loading.complaints.map(text => (/^.*:\d+:\d+: /.test(text) ? text : `${source}: ${text}`)),
    )
  const { areas, text, judgeOrders } = loading.value
  return { ok: true, value: { areas, text, lines: describe(path, loading.value, await judgeOrders(orders)) } }
}

const mostListed = 50

function firstOf(texts: readonly string[]): readonly string[] {
  const left = texts.length - mostListed
  return [
    ...texts.slice(0, mostListed).map(text => `    ${text}`),
    ...(left > 0 ? [`    and ${left} more`] : []),
  ]
}

function describe(
  path: string,
  { areas: { operations, served }, contradictions, leftOut }: LoadedAreas,
  ofOrders: readonly string[],
): readonly string[] {
  const isServed = new Set(served.map(({ described }) => described))
  const servedFrom = (source: string) =>
    served.filter(one => one.source === source).map(({ described }) => described)
  const failing = served.filter(({ described }) => onlyError(described.operation) !== undefined)
  const all = [...contradictions, ...ofOrders]
  return [
    `Contract ${path}`,
    `  emulated: ${list(operations.filter(one => one.isEmulated && !isServed.has(one)))}`,
    `  served as collections: ${list(servedFrom('collection'))}`,
    `  served from examples and schemas: ${list(servedFrom('mocker'))}`,
    ...(failing.length === 0
      ? []
      : [
          `  documented with errors only, answered with the first: ${list(failing.map(({ described }) => described))}`,
        ]),
    ...(leftOut.length === 0 ? [] : ['  left out, because of mistakes:', ...firstOf(leftOut)]),
    `  contradictions with the emulator:${all.length === 0 ? ' none' : ''}`,
    ...firstOf(all),
  ]
}

function list(operations: readonly { readonly method: string; readonly fullPath: string }[]): string {
  if (operations.length === 0) return 'none'
  return operations.map(({ method, fullPath }) => `${method} ${fullPath}`).join(', ')
}
