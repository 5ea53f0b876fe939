import { shippedFixtures } from '../../../control/fixtures/fixtures.ts'
import { checkDoors } from '../../../control/scenario/checks/doors.ts'
import type { ScenarioFile } from '../../../control/scenario/file.ts'
import { settleChecked } from '../../../control/scenario/settle/settle.ts'
import type { Scenario } from '../../../emulator/worlds/scenario.ts'
import { findShipped, isFile, loadFile } from '../../start/load/load-scenario.ts'
import { failed, type Loading } from '../../start/load/loading.ts'

interface LoadedRules {
  readonly scenario: Scenario
  /** What of the scenario has no effect, as a sentence; undefined if all has. */
  readonly notice: string | undefined
}

/** Fields that the proxy applies, or that change nothing. Of keys it reads name and plan. */
const applied: readonly string[] = [
  '$schema',
  'title',
  'description',
  'extends',
  'key',
  'seed',
  'rules',
  'walkthrough',
]

/** Loads the rules of the scenario that --scenario names. */
export async function loadRules(name: string): Promise<Loading<LoadedRules>> {
  const source = '--scenario'
  const loading = isFile(name)
    ? await loadFile(name, source, shippedFixtures, undefined, 'proxy')
    : findShipped(name, source)
  if (!loading.ok) return loading
  const scenario = settleChecked(name, loading.value, shippedFixtures)
  const hidden = checkDoors(scenario.rules, 'proxy').map(({ message }) => `${source}: ${message}`)
  return hidden.length > 0
    ? failed(...hidden)
    : { ok: true, value: { scenario, notice: noticeOf(name, loading.value) } }
}

function noticeOf(name: string, file: ScenarioFile): string | undefined {
  const given = Object.entries(file).filter(([, value]) => value !== undefined && value !== null)
  const ignored = given.map(([field]) => field).filter(field => isIgnored(field, file))
  const rest =
    ignored.length === 0 ? '' : ` The service decides the rest, so the proxy ignores ${ignored.join(', ')}.`
  if ((file.rules ?? []).length === 0) return `${name} has no rules, so the proxy changes nothing.${rest}`
  return rest === '' ? undefined : `The proxy applies the rules of ${name}.${rest}`
}

function isIgnored(field: string, { keys }: ScenarioFile): boolean {
  if (field !== 'keys') return !applied.includes(field)
  const fields = Object.values(keys ?? {}).flatMap(key => Object.keys(key ?? {}))
  return fields.some(name => name !== 'plan')
}
