import { type Fixtures, shippedFixtures } from '../../../control/fixtures/fixtures.ts'
import { type Baseline, compareBaseline } from '../../../judges/rehearsal/baseline.ts'
import type { ClientRun } from '../../../judges/rehearsal/client-run.ts'
import { fitSituation } from '../../../judges/rehearsal/meeting/fit.ts'
import { situationClock } from '../../../judges/rehearsal/rehearsal.ts'
import { type SunsetMoment, sunsetSituations } from '../../../judges/rehearsal/sunset.ts'
import { judgeSituation, type SituationVerdict } from '../../../judges/rehearsal/verdict.ts'
import { createSecrets } from '../../../service/keys/mask.ts'
import { maskFreeText } from '../../../service/keys/mask-text.ts'
import type { Invocation } from '../../arguments/command.ts'
import { checkCommand, commandOf } from '../../clients/command-words.ts'
import type { ClientOptions } from '../../clients/run-client.ts'
import { loadFixtures } from '../../start/load/load-fixtures.ts'
import type { OpenApi } from '../../start/load/load-openapi.ts'
import { complaintsOf, failed, type Loading, userFiles } from '../../start/load/loading.ts'
import { typedPath } from '../../start/load/typed-path.ts'
import { shellWords } from '../../terminal/printable.ts'
import { checkFailOn } from './fail-on.ts'
import type { RehearseValues } from './flags.ts'
import { loadBaseline } from './load-baseline.ts'
import { loadSituations, type RehearsedSituation, situationOf } from './load-situations.ts'
import { selectSituations } from './select-situations.ts'

/** Everything that is read before the first run. */
export interface Prepared {
  /** `shown`: with secrets masked. `typed`: with pet-mock and its flags. */
  readonly command: { readonly words: readonly string[]; readonly shown: string; readonly typed: string }
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
  readonly optionsOf: (situation: RehearsedSituation) => Omit<ClientOptions, 'stop' | 'hurry'>
}

/** Without any disturbance. The second is that of --sunset. */
const calmNames: readonly string[] = ['free-plan', 'today' satisfies SunsetMoment]

/** Reads all files that the flags name. Returns every mistake. */
export async function prepare(flags: Invocation<RehearseValues>): Promise<Loading<Prepared>> {
  const { values, words, sources, complaints, io } = flags
  const command = commandOf(words)
  const isOfProject = (name: string) => flags.project?.flags.has(name) === true
  const pathOf = (name: 'fixtures' | 'openapi') => {
    const path = values[name]
    return path === undefined || isOfProject(name) ? path : typedPath(path, io.env)
  }
  const fixtures = await loadFixtures(pathOf('fixtures'), sources.fixtures)
  const openapi = await loadContract(pathOf('openapi'), sources.openapi, fixtures)
  const usedFixtures = fixtures.ok ? fixtures.value : shippedFixtures
  const loaded = values.sunset ? loadSunset(flags, usedFixtures) : await loadSituations(flags, usedFixtures)
  const selected = loaded.ok ? selectSituations(loaded.value, values.only, values.skip) : loaded
  const baseline = await loadBaseline(flags)
  const all = [
    ...complaints,
    ...checkCommand('rehearse', command),
    ...checkSunset(flags),
    ...checkFailOn(flags),
    ...complaintsOf(fixtures, openapi, selected, baseline),
  ]
  const situations = loaded.ok ? loaded.value : []
  const calm = situations.find(({ name }) => calmNames.includes(name))
  const isWhole = fixtures.ok && openapi.ok && selected.ok && baseline.ok && calm !== undefined
  if (!isWhole || all.length > 0) return failed(...all)
  const masked = (line: readonly string[]) => maskFreeText(shellWords(line), createSecrets(values.mask))
  const names = situations.map(({ name }) => name)
  return {
    ok: true,
    value: {
      command: {
        words: command,
        shown: masked(command),
        typed: masked(['pet-mock', 'rehearse', ...flags.typedWords, '--', ...command]),
      },
      situations: [...new Set([calm, ...selected.value])].filter(one => selected.value.includes(one)),
      calm,
      baseline: baseline.value,
      names,
      judge: createJudge(baseline.value, names),
      fitted: (situation, calls) => {
        const { file: scenario, begins } = fitSituation(situation.scenario, calls, fixtures.value)
        return { ...situation, scenario, begins }
      },
      optionsOf: createOptions(command, values, fixtures.value, openapi.value),
    },
  }
}

/** Marks what the baseline knows. */
function createJudge(baseline: Baseline | undefined, names: readonly string[]): Prepared['judge'] {
  return ({ scenario: file, ...situation }, runs, calm) => {
    const verdict = judgeSituation({ ...situation, file }, runs, calm)
    if (baseline === undefined) return verdict
    const [compared = verdict] = compareBaseline([verdict], baseline, names).verdicts
    return compared
  }
}

function createOptions(
  command: readonly string[],
  { timeout: timeoutMs, env, scale, cors, mask, ...others }: RehearseValues,
  fixtures: Fixtures,
  openapi: OpenApi | undefined,
): Prepared['optionsOf'] {
  const serve = { cors, mask, 'allowed-hosts': others['allowed-hosts'], 'no-marks': others['no-marks'] }
  return ({ scenario }) => ({
    command,
    timeoutMs,
    env,
    clock: scale === undefined ? situationClock(scenario, fixtures) : { scale },
    fixtures,
    openapi,
    serve,
  })
}

function loadSunset(
  flags: Invocation<RehearseValues>,
  fixtures: Fixtures,
): Loading<readonly RehearsedSituation[]> {
  const loaded = sunsetSituations().map(({ name, file }) => situationOf(name, file, flags, fixtures))
  const complaints = complaintsOf(...loaded)
  if (complaints.length > 0) return failed(...complaints)
  return { ok: true, value: loaded.flatMap(one => (one.ok ? one.value : [])) }
}

function checkSunset({ values, typed }: Invocation<RehearseValues>): readonly string[] {
  return values.sunset && typed.has('scenario')
    ? ['--sunset and --scenario exclude each other: the preset has its own situations.']
    : []
}

async function loadContract(
  path: string | undefined,
  source: string,
  fixtures: Loading<Fixtures>,
): Promise<Loading<OpenApi | undefined>> {
  if (path === undefined || !fixtures.ok) return { ok: true, value: undefined }
  const { loadOpenApi } = await import('../../start/load/load-openapi.ts')
  return loadOpenApi(path, source, { orders: fixtures.value.orders }, userFiles)
}
