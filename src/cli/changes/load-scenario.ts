import type { ScenarioState } from '../../library/client/controls.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import type { Session } from '../remote/session.ts'
import { loadFixtures } from '../start/load/load-fixtures.ts'
import { isFile, loadFile } from '../start/load/load-scenario.ts'
import type { Loading } from '../start/load/loading.ts'
import { typedPath } from '../start/load/typed-path.ts'
import { exitCodes } from '../terminal/io.ts'

interface Values {
  readonly fixtures: string | undefined
}

/** Switches a running server to a scenario that it ships, or to the scenario of a file. */
export async function loadScenario(
  { ask, io, values }: Session<Values>,
  name: string,
  show: (state: ScenarioState) => void,
): Promise<number> {
  const body = isFile(typedPath(name, io.env))
    ? await readFile(typedPath(name, io.env), values)
    : { ok: true as const, value: { scenario: name } }
  if (!body.ok) return refuseUsage(body.complaints, io)
  show(await ask('PUT', '/scenario', body.value))
  return exitCodes.fine
}

async function readFile(path: string, { fixtures: directory }: Values): Promise<Loading<object>> {
  const fixtures = await loadFixtures(directory, '--fixtures')
  if (!fixtures.ok) return fixtures
  const file = await loadFile(path, undefined, fixtures.value, undefined, 'server')
  if (!file.ok) return file
  // A server plays no walkthrough.
  const { walkthrough: _walkthrough, ...scenario } = file.value
  return { ok: true, value: { scenario, name: path } }
}
