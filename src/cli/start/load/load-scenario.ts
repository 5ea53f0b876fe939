import { nameMeant } from '../../../base/text/did-you-mean.ts'
import { showValue } from '../../../control/files/show.ts'
import type { Fixtures } from '../../../control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../../control/scenario/file.ts'
import { shippedScenarios } from '../../../control/scenario/shipped.ts'
import { exists } from '../../../library/files/read-file.ts'
import type { Door } from '../../../service/call/fault.ts'
import { failed, type Loading, loadText, type UserFiles, userFiles } from './loading.ts'

export function isFile(name: string): boolean {
  if (shippedScenarios.has(name)) return false
  return /[/\\]|\.(?:ya?ml|json)$/i.test(name) || exists(name)
}

export function findShipped(name: string, source: string): Loading<ScenarioFile> {
  const file = shippedScenarios.get(name)
  if (file !== undefined) return { ok: true, value: file }
  const names = [...shippedScenarios.keys()]
  const meant = fileOf(name) ?? nameMeant(name, names) ?? names.find(shipped => shipped.startsWith(name))
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  return failed(
    `${source}: ${showValue(name)} is neither a shipped scenario nor a file.${hint} Shipped scenarios: ${names.join(', ')}.`,
  )
}

function fileOf(name: string): string | undefined {
  if (!/^[\w.-]+$/.test(name)) return undefined
  return ['yaml', 'yml', 'json'].map(extension => `${name}.${extension}`).find(path => exists(path))
}

/** The scenario of a file for a server, which plays no walkthrough. */
export async function loadForServer(path: string, fixtures: Fixtures): Promise<Loading<ScenarioFile>> {
  const file = await loadFile(path, undefined, fixtures, undefined, 'server')
  if (!file.ok) return file
  const { walkthrough: _walkthrough, ...scenario } = file.value
  return { ok: true, value: scenario }
}

/** The scenario of a file, merged with the ones that it extends. `source` is the flag that names the file, if one does. `door`: see ScenarioSources. */
export async function loadFile(
  path: string,
  source: string | undefined,
  fixtures: Fixtures,
  { readText }: UserFiles = userFiles,
  door?: Door,
): Promise<Loading<ScenarioFile>> {
  const { readScenario } = await import('../../../control/scenario/read/read.ts')
  const sources = { readText, fixtures, shipped: shippedScenarios, door }
  const unread = (reason: string) => (source === undefined ? reason : `${source}: ${reason}`)
  return loadText(path, readText(path), () => readScenario(path, sources), unread, shippedScenarios.keys())
}
