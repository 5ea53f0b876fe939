import { type Fixtures, shippedFixtures } from '../../../control/fixtures/fixtures.ts'
import { underScenario } from '../../../control/profile/serve.ts'
import { type Baseline, compareBaseline, readBaseline } from '../../../judges/rehearsal/baseline.ts'
import type { ClientRun } from '../../../judges/rehearsal/client-run.ts'
import { fitSituation } from '../../../judges/rehearsal/meeting/fit.ts'
import { type SunsetMoment, sunsetSituations } from '../../../judges/rehearsal/sunset.ts'
import { judgeSituation, type SituationVerdict } from '../../../judges/rehearsal/verdict.ts'
import { readText } from '../../../library/files/read-file.ts'
import type { Invocation } from '../../arguments/command.ts'
import { loadProfile } from '../../start/load/load-from-flags.ts'
import { complaintsOf, failed, type Loading, loadText } from '../../start/load/loading.ts'
import { typedPath } from '../../start/load/typed-path.ts'
import { checkNoSearch } from './check-search.ts'
import type { RehearseValues } from './flags.ts'
import { loadedTogether, loadSituations, type RehearsedSituation, situationOf } from './load-situations.ts'
import { type PreparedRuns, prepareRuns } from './prepare-runs.ts'
import { selectNames } from './select-situations.ts'

/** Everything that is read before the first run. */
export interface Prepared extends Pick<PreparedRuns, 'command' | 'optionsOf'> {
  readonly situations: readonly RehearsedSituation[]
  /** Runs first, whether it is selected or not. */
  readonly calm: RehearsedSituation
  readonly baseline: Baseline | undefined
  /** The names of all situations, selected or not. */
  readonly names: readonly string[]
  readonly judge: (
    situation: RehearsedSituation,
    runs: readonly ClientRun[],
    calm: ClientRun,
  ) => SituationVerdict
  /** A situation for a client that makes as many calls when nothing disturbs it. */
  readonly fitted: (situation: RehearsedSituation, calls: number) => RehearsedSituation
}

/** Without any disturbance. The second is that of --sunset. */
const calmNames: readonly string[] = ['free-plan', 'today' satisfies SunsetMoment]

export async function prepare(flags: Invocation<RehearseValues>): Promise<Loading<Prepared>> {
  const { values, complaints } = flags
  const runs = await prepareRuns(flags)
  const usedFixtures = runs.ok ? runs.value.fixtures : shippedFixtures
  const loaded = values.sunset ? loadSunset(flags, usedFixtures) : await loadSituations(flags, usedFixtures)
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
    ...checkNoSearch(flags),
    ...complaintsOf(runs, learned, selected, baseline),
  ]
  const calm = situations.find(({ name }) => calmNames.includes(name))
  if (!runs.ok || !selected.ok || !baseline.ok || calm === undefined || all.length > 0) return failed(...all)
  const { fixtures, ...others } = runs.value
  return {
    ok: true,
    value: {
      ...others,
      situations: [calm, ...situations.filter(one => one !== calm)].filter(({ name }) =>
        selected.value.includes(name),
      ),
      calm,
      baseline: baseline.value,
      names,
      judge: ({ scenario: file, ...situation }, runs, calm) => {
        const verdict = judgeSituation({ ...situation, file }, runs, calm)
        const compared = baseline.value && compareBaseline([verdict], baseline.value, names)
        return compared?.verdicts[0] ?? verdict
      },
      fitted: (situation, calls) => {
        const { file: scenario, begins } = fitSituation(situation.scenario, calls, fixtures)
        return { ...situation, scenario, begins }
      },
    },
  }
}

function loadSunset(flags: Invocation<RehearseValues>, fixtures: Fixtures) {
  return loadedTogether(sunsetSituations().map(({ name, file }) => situationOf(name, file, flags, fixtures)))
}

async function loadBaseline(flags: Invocation<RehearseValues>): Promise<Loading<Baseline | undefined>> {
  const { values, sources, project, io } = flags
  const { baseline } = values
  if (baseline === undefined) return { ok: true, value: undefined }
  const path = project?.flags.has('baseline') === true ? baseline : typedPath(baseline, io.env)
  const unread = (reason: string) => `${sources.baseline}: ${reason}; --write-baseline ${baseline} writes it`
  return loadText(path, readText(path), text => readBaseline(path, text), unread)
}
