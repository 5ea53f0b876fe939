import { about } from '../../../control/files/show.ts'
import { type Fixtures, shippedFixtures } from '../../../control/fixtures/fixtures.ts'
import { underScenario } from '../../../control/profile/serve.ts'
import { crossCheck } from '../../../control/scenario/checks/cross-check.ts'
import { overlay } from '../../../control/scenario/extend.ts'
import type { ScenarioFile } from '../../../control/scenario/file.ts'
import { shippedScenarios } from '../../../control/scenario/shipped.ts'
import { conductIds } from '../../../judges/conduct/checks.ts'
import { type Baseline, compareBaseline, readBaseline } from '../../../judges/rehearsal/baseline.ts'
import type { ClientRun } from '../../../judges/rehearsal/client-run.ts'
import { fitSituation } from '../../../judges/rehearsal/meeting/fit.ts'
import {
  type Begin,
  type Rehearsal,
  settleRehearsal,
  situationClock,
  withRehearsal,
} from '../../../judges/rehearsal/rehearsal.ts'
import { type SunsetMoment, sunsetSituations } from '../../../judges/rehearsal/sunset.ts'
import { judgeSituation, type SituationVerdict } from '../../../judges/rehearsal/verdict.ts'
import type { FailOn } from '../../../judges/report/finding.ts'
import { isDirectory } from '../../../library/files/folders.ts'
import { readText } from '../../../library/files/read-file.ts'
import { createSecrets } from '../../../service/keys/mask.ts'
import { maskFreeText } from '../../../service/keys/mask-text.ts'
import type { Invocation } from '../../arguments/command.ts'
import { unknownIds } from '../../arguments/report-flags.ts'
import type { ClientSituation } from '../../clients/run-client.ts'
import { checkCommand, commandOf } from '../../clients/run-command.ts'
import { loadFixtures, loadProfile, scenarioOfFlags } from '../../start/load/load-from-flags.ts'
import type { OpenApi } from '../../start/load/load-openapi.ts'
import { findShipped, isFile, loadFile } from '../../start/load/load-scenario.ts'
import {
  allOf,
  complaintsOf,
  type FailedLoading,
  failed,
  type LoadedBy,
  type Loading,
  loadText,
  typedPath,
  userFiles,
} from '../../start/load/loading.ts'
import { listScenarioFiles } from '../../start/load/scenario-folder.ts'
import { shellWords } from '../../terminal/text.ts'
import { selectNames } from './check-search.ts'
import type { RehearseValues } from './flags.ts'

/** Everything that is read before the first run. */
export type Prepared = LoadedBy<typeof prepare>

/** Without any disturbance. The second is that of --sunset. */
const calmNames: readonly string[] = ['free-plan', 'today' satisfies SunsetMoment]

export async function prepare(flags: Invocation<RehearseValues>) {
  const { values, complaints } = flags
  const runs = await prepareRuns(flags)
  const usedFixtures = runs.ok ? runs.value.fixtures : shippedFixtures
  const loaded = values.sunset
    ? allOf(sunsetSituations().map(({ name, file }) => situationOf(name, file, flags, usedFixtures)))
    : await loadSituations(flags, usedFixtures)
  const learned = await loadProfile(flags)
  const profile = learned.ok ? learned.value : undefined
  const situations = (loaded.ok ? loaded.value : []).map(one =>
    profile === undefined ? one : { ...one, scenario: underScenario(one.scenario, profile) },
  )
  const names = situations.map(({ name }) => name)
  const selected = loaded.ok ? selectNames('situation', names, names, values.only, values.skip) : loaded
  const baseline = await loadBaseline(flags)
  const all = [
    ...complaints,
    ...(values.sunset && flags.typed.has('add')
      ? ['--sunset and --add exclude each other: the preset has its own situations.']
      : []),
    ...complaintsOf(runs, learned, selected, baseline),
  ]
  const calm = situations.find(({ name }) => calmNames.includes(name))
  if (!runs.ok || !selected.ok || !baseline.ok || calm === undefined || all.length > 0) return failed(...all)
  const { fixtures, ...others } = runs.value
  return {
    ok: true as const,
    value: {
      ...others,
      situations: [calm, ...situations.filter(one => one !== calm)].filter(({ name }) =>
        selected.value.includes(name),
      ),
      /** Runs first, whether it is selected or not. */
      calm,
      baseline: baseline.value,
      /** The names of all situations, selected or not. */
      names,
      judge: (
        { scenario: file, ...situation }: RehearsedSituation,
        runs: readonly ClientRun[],
        calm: ClientRun,
      ): SituationVerdict => {
        const verdict = judgeSituation({ ...situation, file }, runs, calm)
        const compared = baseline.value && compareBaseline([verdict], baseline.value, names)
        return compared?.verdicts[0] ?? verdict
      },
      /** A situation for a client that makes as many calls when nothing disturbs it. */
      fitted: (situation: RehearsedSituation, calls: number): RehearsedSituation => {
        const { file: scenario, begins } = fitSituation(situation.scenario, calls, fixtures)
        return { ...situation, scenario, begins }
      },
    },
  }
}

async function loadBaseline(flags: Invocation<RehearseValues>): Promise<Loading<Baseline | undefined>> {
  const { values, sources, project, io } = flags
  const { baseline } = values
  if (baseline === undefined) return { ok: true, value: undefined }
  const path = project?.flags.has('baseline') === true ? baseline : typedPath(baseline, io.env)
  const unread = (reason: string) => `${sources.baseline}: ${reason}; --write-baseline ${baseline} writes it`
  return loadText(path, readText(path), text => readBaseline(path, text), unread)
}

export async function prepareRuns(flags: Invocation<RehearseValues>) {
  const { values, words, sources, io } = flags
  const command = commandOf(words)
  const isOfProject = (name: string) => flags.project?.flags.has(name) === true
  const pathOf = (name: 'fixtures' | 'openapi') => {
    const path = values[name]
    return path === undefined || isOfProject(name) ? path : typedPath(path, io.env)
  }
  const fixtures = await loadFixtures(pathOf('fixtures'), sources.fixtures)
  const openapi = await loadContract(pathOf('openapi'), sources.openapi, values['openapi-only'], fixtures)
  const complaints = [
    ...checkCommand('rehearse', command),
    ...unknownIds(values['fail-on'], conductIds, sources['fail-on']),
    ...complaintsOf(fixtures, openapi),
  ]
  if (!fixtures.ok || !openapi.ok || complaints.length > 0) return failed(...complaints)
  const masked = (line: readonly string[]) => maskFreeText(shellWords(line), createSecrets(values.mask))
  const typed = masked(['pet-mock', 'rehearse', ...flags.typedWords, '--', ...command])
  const { timeout: timeoutMs, env, scale, cors, mask, 'allowed-hosts': hosts, 'no-marks': noMarks } = values
  const optionsOf = ({ scenario }: ClientSituation) => ({
    command,
    timeoutMs,
    env,
    clock: scale === undefined ? situationClock(scenario, fixtures.value) : { scale },
    fixtures: fixtures.value,
    openapi: openapi.value,
    serve: { cors, mask, 'allowed-hosts': hosts, 'no-marks': noMarks },
  })
  /** `shown`: with secrets masked. `typed`: with pet-mock and its flags. */
  const run = { words: command, shown: masked(command), typed }
  return { ok: true as const, value: { command: run, fixtures: fixtures.value, optionsOf } }
}

async function loadContract(
  path: string | undefined,
  source: string,
  only: readonly string[],
  fixtures: Loading<Fixtures>,
): Promise<Loading<OpenApi | undefined>> {
  if (path === undefined || !fixtures.ok) return { ok: true, value: undefined }
  const { loadOpenApi } = await import('../../start/load/load-openapi.ts')
  return loadOpenApi(path, source, { orders: fixtures.value.orders, only }, userFiles)
}

export interface RehearsedSituation extends ClientSituation {
  readonly rehearsal: Rehearsal
  /** Undefined: as its file declares. */
  readonly begins?: Begin | undefined
}

type Flags = Pick<Invocation<RehearseValues>, 'values' | 'sources' | 'given' | 'project' | 'io'>

async function loadSituations(
  flags: Flags,
  fixtures: Fixtures,
): Promise<Loading<readonly RehearsedSituation[]>> {
  const load = async (path: string) => {
    const file = await loadFile(path, flags.sources.add, fixtures, undefined, 'server')
    return file.ok ? situationOf(path, file.value, flags, fixtures) : file
  }
  const words = flags.values.add.map(word => expand(word, flags))
  const own = await Promise.all(
    words.flatMap((paths): readonly (FailedLoading | ReturnType<typeof load>)[] =>
      paths.ok ? paths.value.map(load) : [paths],
    ),
  )
  const shipped = Array.from(shippedScenarios, ([name, file]) => situationOf(name, file, flags, fixtures))
  const all = allOf([...shipped, ...own])
  // Two words may lead to the same file.
  return all.ok ? { ok: true, value: [...new Map(all.value.map(one => [one.name, one])).values()] } : all
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

/** A scenario with the flags that change all of them. */
function situationOf(
  name: string,
  file: ScenarioFile,
  flags: Pick<Flags, 'values' | 'given'>,
  fixtures: Fixtures,
): Loading<RehearsedSituation> {
  const { values } = flags
  const { seed, pets, 'add-key': added, latency } = values
  const isShipped = shippedScenarios.get(name) === file
  const isAsShipped = fixtures === shippedFixtures && isShipped
  const isChanged = seed !== undefined || pets !== undefined || added.length > 0 || latency
  const whole = isShipped ? withRehearsal(name, file) : file
  const scenario = isChanged ? overlay(whole, scenarioOfFlags(values)) : whole
  const objections = isAsShipped && !isChanged ? [] : crossCheck(scenario, fixtures)
  if (objections.length > 0)
    return failed(
      ...objections.map(({ path, message }) => `${name} with these flags: ${about(path, message)}`),
    )
  return { ok: true, value: { name, scenario, rehearsal: withFailOn(settleRehearsal(scenario), flags) } }
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
