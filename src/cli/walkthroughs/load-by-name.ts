import { about } from '../../control/files/show.ts'
import { type Fixtures, shippedFixtures } from '../../control/fixtures/fixtures.ts'
import { crossCheck } from '../../control/scenario/checks/cross-check.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { withRehearsal } from '../../judges/rehearsal/rehearsal.ts'
import { shippedWalkthroughs } from '../../judges/walkthrough/shipped.ts'
import type { FlagValues } from '../arguments/flag.ts'
import { loadFixtures } from '../start/load/load-from-flags.ts'
import { findShipped, isFile, loadFile } from '../start/load/load-scenario.ts'
import { allOf, failed, type LoadedBy, type Loading } from '../start/load/loading.ts'
import type { FileValues } from './flags.ts'

/** Its file is merged with what it extends, and has its walkthrough. */
export type NamedScenario = LoadedBy<typeof loadOne>

export async function loadByName(
  names: readonly string[],
  { values, sources }: Pick<FlagValues<FileValues>, 'values' | 'sources'>,
): Promise<Loading<readonly NamedScenario[]>> {
  const fixtures = await loadFixtures(values.fixtures, sources.fixtures)
  if (!fixtures.ok) return fixtures
  return allOf(await Promise.all(names.map(name => loadOne(name, fixtures.value))))
}

async function loadOne(name: string, fixtures: Fixtures) {
  if (isFile(name)) {
    const file = await loadFile(name, undefined, fixtures)
    return file.ok ? { ok: true as const, value: { name, file: file.value, fixtures } } : file
  }
  const shipped = findShipped(name, name)
  if (!shipped.ok) return shipped
  const file: ScenarioFile = {
    ...withRehearsal(name, shipped.value),
    walkthrough: shippedWalkthroughs.get(name),
  }
  const objections = fixtures === shippedFixtures ? [] : crossCheck(file, fixtures)
  if (objections.length === 0) return { ok: true as const, value: { name, file, fixtures } }
  const where = `${name} with these fixtures`
  return failed(...objections.map(({ path, message }) => `${where}: ${about(path, message)}`))
}
