import { dirname } from 'node:path'
import type { Fixtures } from '../../control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { shippedScenarios } from '../../control/scenario/shipped.ts'
import { type Choice, type ChoiceList, createChoiceList } from '../terminal/choice-list.ts'
import { isFile, loadFile } from './load/load-scenario.ts'
import type { Loading } from './load/loading.ts'
import { listScenarioFiles } from './load/scenario-folder.ts'

/**
 * The shipped scenarios, and the files beside the one that the server started with, else those of the usual folder.
 * `started`: the scenario of the start. `current`: that of now.
 */
export function openScenarioList(started: string, current: string): ChoiceList {
  const shipped = Array.from(shippedScenarios, ([name, { title }]) => ({ name, about: title ?? '' }))
  const files = isFile(started) ? [started, ...listScenarioFiles(dirname(started))] : listScenarioFiles()
  const own = [...new Set(files)].map((name): Choice => ({ name, about: 'your own scenario' }))
  return createChoiceList('Scenario', [...own, ...shipped], current)
}

/** A scenario as a command names it: the name of a shipped one, or what its file holds now. */
export async function readChoice(name: string, fixtures: Fixtures): Promise<Loading<string | ScenarioFile>> {
  if (shippedScenarios.has(name)) return { ok: true, value: name }
  const file = await loadFile(name, undefined, fixtures, undefined, 'server')
  if (!file.ok) return file
  const { walkthrough: _walkthrough, ...scenario } = file.value
  return { ok: true, value: scenario }
}
