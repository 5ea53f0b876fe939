import type { Scenario } from '../../../emulator/worlds/scenario.ts'
import { onlyError } from '../../../judges/contract/open-areas/areas.ts'
import type { LoadedAreas } from '../../../library/files/load-contract.ts'
import { failed, type LoadedBy, type UserFiles } from './loading.ts'

export type OpenApi = LoadedBy<typeof loadOpenApi>

/** Resolves with the areas of a contract, the lines about it, and the text of all its files, to notice changes. */
export async function loadOpenApi(
  path: string,
  source: string,
  { orders, only }: Pick<Scenario, 'orders'> & { readonly only: readonly string[] },
  { readText }: Pick<UserFiles, 'readText'>,
) {
  const { loadAreas } = await import('../../../library/files/load-contract.ts')
  const loading = await loadAreas(path, readText, only)
  const blame = (text: string) => (/^.*:\d+:\d+: /.test(text) ? text : `${source}: ${text}`)
  if (!loading.ok) return failed(...loading.complaints.map(blame))
  const { areas, text, judgeOrders, loadJudge } = loading.value
  const lines = describe(path, loading.value, await judgeOrders(orders))
  return { ok: true as const, value: { areas, text, lines, loadJudge } }
}

const mostListed = 50

function firstOf(texts: readonly string[]): readonly string[] {
  const left = texts.length - mostListed
  const shown = texts.slice(0, mostListed).map(text => `    ${text}`)
  return left > 0 ? [...shown, `    and ${left} more`] : shown
}

function describe(
  path: string,
  { areas: { operations, served }, contradictions, leftOut }: LoadedAreas,
  ofOrders: readonly string[],
): readonly string[] {
  const ofServed = served.map(({ described }) => described)
  const servedFrom = (source: string) =>
    served.filter(one => one.source === source).map(({ described }) => described)
  const failing = list(ofServed.filter(({ operation }) => onlyError(operation) !== undefined))
  const all = [...contradictions, ...ofOrders]
  return [
    `Contract ${path}`,
    `  emulated: ${list(operations.filter(one => one.isEmulated && !ofServed.includes(one)))}`,
    `  served as collections: ${list(servedFrom('collection'))}`,
    `  served from examples and schemas: ${list(servedFrom('mocker'))}`,
    ...(failing === 'none' ? [] : [`  documented with errors only, answered with the first: ${failing}`]),
    ...(leftOut.length === 0 ? [] : ['  left out, because of mistakes:', ...firstOf(leftOut)]),
    `  contradictions with the emulator:${all.length === 0 ? ' none' : ''}`,
    ...firstOf(all),
  ]
}

function list(operations: readonly { readonly method: string; readonly fullPath: string }[]): string {
  if (operations.length === 0) return 'none'
  return operations.map(({ method, fullPath }) => `${method} ${fullPath}`).join(', ')
}
