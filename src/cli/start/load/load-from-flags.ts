import { isAbsolute, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { formatComplaint } from '../../../control/files/complaint.ts'
import { NotText } from '../../../control/files/document.ts'
import { about, type Path } from '../../../control/files/show.ts'
import { type Fixtures, shippedFixtures } from '../../../control/fixtures/fixtures.ts'
import { underScenario } from '../../../control/profile/serve.ts'
import { crossCheck } from '../../../control/scenario/checks/cross-check.ts'
import { overlay } from '../../../control/scenario/extend.ts'
import type { ScenarioFile } from '../../../control/scenario/file.ts'
import { type OnPetsMade, settleChecked } from '../../../control/scenario/settle/settle.ts'
import type { Profile, Scenario } from '../../../emulator/worlds/scenario.ts'
import { codeOf, explainFileError } from '../../../library/files/read-file.ts'
import type { Flag, FlagValues } from '../../arguments/flag.ts'
import { type ServeValues, serveFlags } from '../../arguments/serve-flags.ts'
import type { Environment } from '../../terminal/io.ts'
import type { OpenApi } from './load-openapi.ts'
import { findShipped, loadFile } from './load-scenario.ts'
import {
  complaintsOf,
  failed,
  type Loading,
  loadText,
  typedPath,
  type UserFiles,
  userFiles,
} from './loading.ts'

export type ServeFlagValues = FlagValues<ServeValues>

/** A settled scenario and what it was made from. */
export interface Loaded {
  readonly scenario: Scenario
  readonly file: ScenarioFile
  readonly fixtures: Fixtures
  readonly openapi?: OpenApi | undefined
}

interface LoadOptions {
  /** Whether --scenario names a file. Decided once: a file that is missing for a moment is still a file. */
  readonly fromFile: boolean
  readonly files: UserFiles
  readonly onPetsMade?: OnPetsMade
  /** The previous result. Its pets are reused if the new ones would be the same. */
  readonly before?: Loaded | undefined
}

export async function loadFromFlags(flags: ServeFlagValues, options: LoadOptions): Promise<Loading<Loaded>> {
  const loading = await loadSettled(flags, options)
  const { openapi: path, 'openapi-only': only } = flags.values
  if (path === undefined) return loading
  const { loadOpenApi } = await import('./load-openapi.ts')
  const orders = loading.ok ? loading.value.scenario.orders : []
  const openapi = await loadOpenApi(path, flags.sources.openapi, { orders, only }, options.files)
  if (!loading.ok || !openapi.ok) return failed(...complaintsOf(loading, openapi))
  return { ok: true, value: { ...loading.value, openapi: openapi.value } }
}

async function loadSettled(flags: ServeFlagValues, options: LoadOptions): Promise<Loading<Loaded>> {
  const { scenario: name, fixtures: directory } = flags.values
  const { fromFile, files, before, onPetsMade } = options
  const fixtures = await loadFixtures(directory, flags.sources.fixtures, files)
  // A file's keys are checked against the fixtures: without them, the complaints could be wrong.
  if (!fixtures.ok && fromFile) return fixtures
  const known = fixtures.ok ? fixtures.value : shippedFixtures
  const chosen = fromFile
    ? await loadFile(name, flags.sources.scenario, known, files, 'server')
    : findShipped(name, flags.sources.scenario)
  const learned = await loadProfile(flags, files)
  if (!fixtures.ok || !chosen.ok || !learned.ok) return failed(...complaintsOf(fixtures, chosen, learned))
  const profile = learned.value
  const file = overlay(chosen.value, scenarioOfFlags(flags.values))
  const sources = { file, fixtures: fixtures.value }
  const objections = crossCheck(profile ? underScenario(file, profile) : file, sources.fixtures)
  if (objections.length > 0)
    return failed(...objections.map(({ path, message }) => blame(path, message, flags)))
  const madeFrom = ({ file, fixtures }: typeof sources) => {
    return [file.pets, file.seed, fixtures.pets, fixtures.categories]
  }
  const isSame = before && isDeepStrictEqual(madeFrom(before), madeFrom(sources))
  const pets = isSame ? before.scenario.pets : undefined
  const scenario = settleChecked(name, file, sources.fixtures, { pets, onPetsMade, profile })
  return { ok: true, value: { scenario, ...sources } }
}

/** The profile that --profile names. */
export async function loadProfile(
  { values, sources }: Pick<FlagValues<Pick<ServeValues, 'profile'>>, 'values' | 'sources'>,
  { readText }: UserFiles = userFiles,
): Promise<Loading<Profile | undefined>> {
  const { profile: path } = values
  if (path === undefined) return { ok: true, value: undefined }
  const { readProfile } = await import('../../../control/profile/file.ts')
  const unread = (reason: string) => `${sources.profile}: ${reason}`
  return loadText(path, readText(path), text => readProfile(path, text), unread)
}

type ScenarioValues = Pick<ServeValues, 'seed' | 'pets' | 'add-key'> &
  Partial<Pick<ServeValues, 'clock' | 'latency'>>

export function scenarioOfFlags(values: ScenarioValues): ScenarioFile {
  const { seed, pets, 'add-key': added, clock, latency } = values
  const keys = Object.fromEntries(added.map(({ name, plan }) => [name, { plan }]))
  return {
    latency: latency ? 'on' : undefined,
    seed,
    pets: pets === undefined ? undefined : { count: pets },
    keys: added.length === 0 ? undefined : keys,
    // A frozen clock keeps the scenario's instant and drops its speed.
    clock: clock && (clock.frozen ? { frozen: true, scale: null } : { at: clock.at, frozen: false }),
  }
}

/** A complaint about the merged scenario, with the flag that caused it if one did. */
function blame(path: Path, message: string, { values, sources }: ServeFlagValues): string {
  const flag = flagOfPath(path, values)
  return flag === undefined
    ? `${values.scenario} with these flags: ${about(path, message)}`
    : `${sources[flag]}: ${message}`
}

function flagOfPath([first, second]: Path, values: ServeValues): keyof ServeValues | undefined {
  if (first === 'seed' && values.seed !== undefined) return 'seed'
  if (first === 'clock' && values.clock !== undefined) return 'clock'
  if (first === 'pets' && second === 'count' && values.pets !== undefined) return 'pets'
  return first === 'keys' && values['add-key'].some(({ name }) => name === second) ? 'add-key' : undefined
}

/** The fixtures of a directory, without one the shipped ones. `source` is the flag that names the directory. */
export async function loadFixtures(
  directory: string | undefined,
  source: string,
  files: UserFiles = userFiles,
): Promise<Loading<Fixtures>> {
  if (directory === undefined) return { ok: true, value: shippedFixtures }
  let names: readonly string[]
  try {
    names = await files.listFiles(directory)
  } catch (error) {
    return failed(`${source}: ${explainDirectoryError(directory, error)}`)
  }
  const { fixtureOf, readFixtures } = await import('../../../control/fixtures/read.ts')
  const texts = new Map<string, string | undefined>()
  const unread: string[] = []
  // Other files, such as a README or a picture, may be of any size.
  for (const name of names.filter(name => /\.(?:ya?ml|json)$/i.test(name))) {
    const file = join(directory, name)
    try {
      texts.set(name, fixtureOf(name) && (await files.readText(file)))
    } catch (error) {
      unread.push(
        error instanceof NotText
          ? formatComplaint({ file, ...error.place, message: error.message })
          : `${source}: ${file} cannot be read (${explainFileError(error)})`,
      )
    }
  }
  // If no file could be read, do not also report "no files".
  if (unread.length > 0 && texts.size === 0) return failed(...unread)
  const reading = await readFixtures(directory, texts, shippedFixtures)
  if (reading.ok) return unread.length === 0 ? reading : failed(...unread)
  return failed(...unread, ...reading.complaints.map(formatComplaint))
}

function explainDirectoryError(directory: string, error: unknown): string {
  const code = codeOf(error)
  if (code === 'ENOTDIR')
    return `${directory} is a file; name the directory of pets.yaml, keys.yaml, categories.yaml and orders.yaml`
  if (code !== 'ENOENT') return `${directory} cannot be read (${explainFileError(error)})`
  return `there is no directory ${isAbsolute(directory) ? directory : `${directory} in ${process.cwd()}`}`
}

/** Resolves the paths in the flags of serve. Those of the project file are resolved already. */
export function withTypedPaths(flags: ServeFlagValues, env: Environment): ServeFlagValues {
  const ofProject = flags.project?.flags
  const paths = Object.entries<Flag<unknown>>(serveFlags).flatMap(([name, { isPath }]) => {
    const path: unknown = flags.values[name as keyof ServeValues]
    const isTyped = typeof path === 'string' && isPath?.(path) === true && ofProject?.has(name) !== true
    return isTyped ? [[name, typedPath(path, env)] as const] : []
  })
  return { ...flags, values: { ...flags.values, ...Object.fromEntries(paths) } }
}
