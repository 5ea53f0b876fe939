import { about } from '../../../control/files/show.ts'
import { type Fixtures, shippedFixtures } from '../../../control/fixtures/fixtures.ts'
import { crossCheck } from '../../../control/scenario/checks/cross-check.ts'
import { overlay } from '../../../control/scenario/extend.ts'
import type { ScenarioFile } from '../../../control/scenario/file.ts'
import { shippedScenarios } from '../../../control/scenario/shipped.ts'
import {
  type Begin,
  type Rehearsal,
  settleRehearsal,
  withRehearsal,
} from '../../../judges/rehearsal/rehearsal.ts'
import type { FailOn } from '../../../judges/report/finding.ts'
import { isDirectory } from '../../../library/files/folders.ts'
import type { Invocation } from '../../arguments/command.ts'
import type { ClientSituation } from '../../clients/run-client.ts'
import { scenarioOfFlags } from '../../start/load/load-from-flags.ts'
import { findShipped, isFile, loadFile } from '../../start/load/load-scenario.ts'
import { complaintsOf, failed, type Loading } from '../../start/load/loading.ts'
import { listScenarioFiles } from '../../start/load/scenario-folder.ts'
import { typedPath } from '../../start/load/typed-path.ts'
import type { RehearseValues } from './flags.ts'

export interface RehearsedSituation extends ClientSituation {
  readonly rehearsal: Rehearsal
  /** Undefined: as its file declares. */
  readonly begins?: Begin | undefined
}

export type Situations = Loading<readonly RehearsedSituation[]>

type Flags = Pick<Invocation<RehearseValues>, 'values' | 'sources' | 'given' | 'project' | 'io'>

export async function loadSituations(flags: Flags, fixtures: Fixtures): Promise<Situations> {
  const paths = flags.values.add.map(path => expand(path, flags))
  const own = await Promise.all(
    paths.map(async path => (path.ok ? loadFiles(path.value, flags, fixtures) : path)),
  )
  const shipped = Array.from(shippedScenarios, ([name, file]) => situationOf(name, file, flags, fixtures))
  const all = loadedTogether([...shipped, ...own])
  // Two words may lead to the same file.
  return all.ok ? { ok: true, value: [...new Map(all.value.map(one => [one.name, one])).values()] } : all
}

/** All that was loaded, or every mistake. */
export function loadedTogether(loaded: readonly Situations[]): Situations {
  const complaints = complaintsOf(...loaded)
  if (complaints.length > 0) return failed(...complaints)
  return { ok: true, value: loaded.flatMap(one => (one.ok ? one.value : [])) }
}

function expand(word: string, { sources, project, io }: Flags): Loading<readonly string[]> {
  const path = project?.flags.has('add') ? word : typedPath(word, io.env)
  if (shippedScenarios.has(word))
    return failed(
      `${sources.add}: ${word} is a shipped scenario, which is rehearsed anyway; to rehearse only it, use --only ${word}`,
    )
  if (isDirectory(path)) {
    const files = listScenarioFiles(path, Number.POSITIVE_INFINITY)
    if (files.length > 0) return { ok: true, value: files }
    return failed(`${sources.add}: no YAML or JSON file in the directory ${path}`)
  }
  if (isFile(path)) return { ok: true, value: [path] }
  const found = findShipped(path, sources.add)
  return found.ok ? { ok: true, value: [] } : found
}

async function loadFiles(paths: readonly string[], flags: Flags, fixtures: Fixtures): Promise<Situations> {
  const load = async (path: string) => {
    const file = await loadFile(path, flags.sources.add, fixtures, undefined, 'server')
    return file.ok ? situationOf(path, file.value, flags, fixtures) : file
  }
  return loadedTogether(await Promise.all(paths.map(load)))
}

/** A scenario with the flags that change all of them. */
export function situationOf(
  name: string,
  file: ScenarioFile,
  flags: Pick<Flags, 'values' | 'given'>,
  fixtures: Fixtures,
): Situations {
  const { values } = flags
  const { seed, pets, 'add-key': added, latency } = values
  const isShipped = shippedScenarios.get(name) === file
  const isAsShipped = fixtures === shippedFixtures && isShipped
  const isChanged = seed !== undefined || pets !== undefined || added.length > 0 || latency
  const whole = isShipped ? withRehearsal(name, file) : file
  const scenario = isChanged ? overlay(whole, scenarioOfFlags(values)) : whole
  const objections = isAsShipped && !isChanged ? [] : crossCheck(scenario, fixtures)
  const complaints = objections.map(
    ({ path, message }) => `${name} with these flags: ${about(path, message)}`,
  )
  if (complaints.length > 0) return failed(...complaints)
  return { ok: true, value: [{ name, scenario, rehearsal: withFailOn(settleRehearsal(scenario), flags) }] }
}

/** What a situation expects, changed by --fail-on: its level replaces the situation's, and its ids come first. */
function withFailOn(
  rehearsal: Rehearsal,
  { values, given }: Pick<Invocation<RehearseValues>, 'values' | 'given'>,
): Rehearsal {
  const { level, ids }: FailOn = values['fail-on']
  if (!given.has('fail-on')) return rehearsal
  const named = (fails: boolean) => [...ids].flatMap(([id, does]) => (does === fails ? [id] : []))
  const without = (list: readonly string[]) => list.filter(id => !ids.has(id))
  return {
    ...rehearsal,
    // Ids alone leave the level as it is.
    failOn: ids.size > 0 && level === 'error' ? rehearsal.failOn : level,
    allow: [...without(rehearsal.allow), ...named(false)],
    forbid: [...without(rehearsal.forbid), ...named(true)],
  }
}
