import { groupDigits } from '../../src/base/text/quantities.ts'
import { table } from '../program/table.ts'
import type { LaneResult } from './check-lane.ts'
import { growthOf } from './heap.ts'
import type { Lane } from './lane.ts'

export interface Ended {
  readonly lane: Lane
  readonly seed: number
  readonly inputs: number
  readonly result: LaneResult
}

const mostShown = 6_000

/** A table of all lanes, with how many inputs of each kind were checked, and every failure. */
export function reportText(ended: readonly Ended[]): string {
  const rows = ended.map(({ lane, result }) => {
    const { inputs, cases, ms, samples, failure } = result
    const growth = growthOf(samples)
    const heap =
      growth === undefined ? '–' : `${(growth.bytes / 1e6).toFixed(2)} MB, ${growth.perInput.toFixed(1)} B`
    return [
      lane.name,
      lane.about,
      groupDigits(inputs),
      groupDigits(cases),
      `${(ms / 1_000).toFixed(0)} s`,
      heap,
      failure === undefined ? 'nothing found' : 'FAILED',
    ]
  })
  const total = ended.reduce((sum, { result }) => sum + result.inputs, 0)
  const head = ['lane', 'what', 'inputs', 'cases', 'time', 'heap growth, an input', 'result']
  const failures = ended.flatMap(one => (one.result.failure === undefined ? [] : [failureText(one)]))
  const sum = `${groupDigits(total)} inputs, ${failures.length === 0 ? 'nothing found' : `${failures.length} failed`}.`
  return [table(head, rows), sum, ...failures].join('\n\n')
}

function failureText({ lane, seed, inputs, result: { failure } }: Ended): string {
  if (failure === undefined) return ''
  const { problem, input, path } = failure
  const where = path === undefined ? `--runs ${inputs}` : `--path ${path}`
  const shown =
    input.length > mostShown ? `${input.slice(0, mostShown)}… (${input.length} characters)` : input
  return [
    `${lane.name} FAILED: ${problem}`,
    `Smallest case: ${shown}`,
    `Repeat it: npm run fuzz -- ${lane.name} --seed ${seed} ${where}`,
  ].join('\n')
}
