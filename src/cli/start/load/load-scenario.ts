import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { didYouMean } from '../../../base/text/did-you-mean.ts'
import { formatComplaint } from '../../../control/files/complaint.ts'
import { about, showValue } from '../../../control/files/show.ts'
import { type Fixtures, shippedFixtures } from '../../../control/fixtures/fixtures.ts'
import { crossCheck } from '../../../control/scenario/checks/cross-check.ts'
import type { ScenarioFile } from '../../../control/scenario/file.ts'
import { overlay } from '../../../control/scenario/merge.ts'
import { settleChecked } from '../../../control/scenario/settle.ts'
import type { OnPetsMade } from '../../../control/scenario/settle-pets.ts'
import { shippedScenarios } from '../../../control/scenario/shipped.ts'
import { explainUnreadable } from '../../../doors/disk/read-text.ts'
import type { Scenario } from '../../../emulator/worlds/scenario.ts'
import type { FlagValues } from '../../arguments/read-flags.ts'
import type { ServeValues } from '../../arguments/serve-flags.ts'
import type { OpenApi } from './load-openapi.ts'
import { flagOfPath, scenarioOfFlags } from './scenario-from-flags.ts'
import { type UserFiles, userFiles } from './user-files.ts'

/** What loading comes to: a value, or everything that is wrong, a sentence each. */
export type Loading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly complaints: readonly string[] }

export type ServeFlagValues = FlagValues<ServeValues>

/** A scenario with every setting decided, and what it was made from. */
export interface Loaded {
  readonly scenario: Scenario
  readonly file: ScenarioFile
  readonly fixtures: Fixtures
  /** With --openapi only. */
  readonly openapi?: OpenApi | undefined
}

export interface LoadOptions {
  /** Whether --scenario names a file. It is asked once: a file that is gone for a moment is still one. */
  readonly fromFile: boolean
  readonly files: UserFiles
  readonly onPetsMade?: OnPetsMade
  /** What was loaded before; pets that would be the same again are not made again. */
  readonly before?: Loaded | undefined
}

/** The scenario that the flags ask for. */
export async function loadScenario(flags: ServeFlagValues, options: LoadOptions): Promise<Loading<Loaded>> {
  const { scenario: name, fixtures: directory } = flags.values
  const { fromFile, files } = options
  const fixtures = await loadFixtures(directory, flags.sources.fixtures, files)
  // What a file says of keys is judged by the fixtures: without them, complaints about it may be false ones.
  if (!fixtures.ok && fromFile) return fixtures
  const file = fromFile
    ? await loadFile(name, flags.sources.scenario, fixtures.ok ? fixtures.value : shippedFixtures, files)
    : findShipped(name, flags.sources.scenario)
  if (!fixtures.ok || !file.ok) {
    return {
      ok: false,
      complaints: [fixtures, file].flatMap(loading => (loading.ok ? [] : loading.complaints)),
    }
  }
  const whole = overlay(file.value, scenarioOfFlags(flags.values))
  const objections = crossCheck(whole, fixtures.value)
  if (objections.length === 0) {
    return { ok: true, value: settleWhole(name, { file: whole, fixtures: fixtures.value }, options) }
  }
  const complaints = objections.map(({ path, message }) => {
    const flag = flagOfPath(path, flags.values)
    return flag === undefined
      ? `${name} with these flags: ${about(path, message)}`
      : `${flags.sources[flag]}: ${message}`
  })
  return { ok: false, complaints }
}

function settleWhole(
  name: string,
  { file, fixtures }: Omit<Loaded, 'scenario'>,
  { before, onPetsMade }: LoadOptions,
): Loaded {
  const pets = before && hasSamePets(before, { file, fixtures }) ? before.scenario.pets : undefined
  return { scenario: settleChecked(name, file, fixtures, { pets, onPetsMade }), file, fixtures }
}

function hasSamePets(before: Loaded, after: Omit<Loaded, 'scenario'>): boolean {
  const madeFrom = ({ file, fixtures }: Omit<Loaded, 'scenario'>) => [
    file.pets,
    file.seed,
    fixtures.pets,
    fixtures.categories,
  ]
  return isDeepStrictEqual(madeFrom(before), madeFrom(after))
}

/** Whether a scenario is named by its file. */
export function isFile(name: string): boolean {
  if (shippedScenarios.has(name)) return false
  return /[/\\]|\.(?:ya?ml|json)$/i.test(name) || existsSync(name)
}

export function findShipped(name: string, source: string): Loading<ScenarioFile> {
  const file = shippedScenarios.get(name)
  if (file !== undefined) return { ok: true, value: file }
  const names = [...shippedScenarios.keys()]
  const meant = didYouMean(name, names) ?? names.find(shipped => shipped.startsWith(name))
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  const complaint = `${source}: no shipped scenario is named ${showValue(name)}, and no file.${hint} There are ${names.join(', ')}.`
  return { ok: false, complaints: [complaint] }
}

/** The scenario of a file, with all that it extends; `source` is the flag that named it, if it was one. */
export async function loadFile(
  path: string,
  source: string | undefined,
  fixtures: Fixtures,
  { readText }: UserFiles = userFiles,
): Promise<Loading<ScenarioFile>> {
  const unreadable = await explainUnreadable(path, readText, shippedScenarios.keys())
  if (unreadable !== undefined) {
    return { ok: false, complaints: [source === undefined ? unreadable : `${source}: ${unreadable}`] }
  }
  const { readScenario } = await import('../../../control/scenario/read.ts')
  const reading = await readScenario(path, { readText, fixtures, shipped: shippedScenarios })
  if (!reading.ok) return { ok: false, complaints: reading.complaints.map(formatComplaint) }
  return { ok: true, value: reading.value.file }
}

export async function loadFixtures(
  directory: string | undefined,
  source: string,
  files = userFiles,
): Promise<Loading<Fixtures>> {
  if (directory === undefined) return { ok: true, value: shippedFixtures }
  const { readFixtureFiles } = await import('./fixture-files.ts')
  return readFixtureFiles(directory, source, files)
}
