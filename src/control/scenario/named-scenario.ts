import { suggest } from '../../base/text/did-you-mean.ts'
import type { Problem } from '../fields/problem.ts'
import { showValue } from '../files/show.ts'
import type { ScenarioFile } from './file.ts'
import { extendScenario } from './merge.ts'

type Shipped = ReadonlyMap<string, ScenarioFile>

/** A command's scenario, given by name or written out, with the shipped one that it extends; or what is wrong with it. */
export function wholeScenario(scenario: string | ScenarioFile, shipped: Shipped): ScenarioFile | Problem {
  if (typeof scenario === 'string') {
    return shipped.get(scenario) ?? { path: [], message: unknownScenario(scenario, shipped) }
  }
  const base = shipped.get(scenario.extends ?? '')
  if (base === undefined && typeof scenario.extends === 'string') {
    return { path: ['extends'], message: unknownScenario(scenario.extends, shipped) }
  }
  return extendScenario(base ?? {}, scenario)
}

function unknownScenario(name: string, shipped: Shipped): string {
  const known = [...shipped.keys()]
  return `no shipped scenario is named ${showValue(name)}${suggest(name, known) || `; there are ${known.join(', ')}`}`
}
