import type { Fixtures } from '../../control/fixtures/fixtures.ts'
import { adminUrl } from '../../doors/server/base-url.ts'
import { type HttpDoor, openHttpDoor } from '../../doors/server/http-door.ts'
import { lateAdminPlane } from '../../doors/server/load-admin.ts'
import { isLoopback } from '../../doors/server/loopback.ts'
import { version } from '../../doors/server/version.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import type { Invocation } from '../arguments/command.ts'
import { flagsTakenByNpm } from '../arguments/npm-flags.ts'
import type { ServeValues } from '../arguments/serve-flags.ts'
import { unknownVariables } from '../arguments/unknown-variables.ts'
import { refuseStart, refuseUsage } from '../arguments/usage-error.ts'
import { createReporter, type Reporter } from '../log/reporter.ts'
import type { BannerFacts } from '../terminal/banner.ts'
import { createProgress } from '../terminal/progress.ts'
import type { ContractMode } from './contract-mode.ts'
import { allowedHosts, createServedEmulator } from './create-served-emulator.ts'
import { isFile, type Loaded, type ServeFlagValues } from './load/load-scenario.ts'
import { loadSituation } from './load/load-situation.ts'
import { withTypedPaths } from './load/typed-path.ts'
import { type UserFiles, userFiles } from './load/user-files.ts'
import type { RunFile } from './run-files.ts'
import type { State } from './state/state.ts'
import type { Opening } from './state/state-file.ts'

/** A server that listens. Nobody was told yet. */
export interface StartedServer {
  readonly facts: BannerFacts
  /** What is to be told of the start, once it is told that the server is ready. */
  readonly notices: readonly string[]
  readonly reporter: Reporter
  readonly emulator: Emulator
  /** What its scenarios stand on. */
  readonly fixtures: Fixtures
  /** Answers the calls that are under way, for `graceMs` at most, and ends all that belongs to the server. */
  readonly close: (graceMs: number) => Promise<void>
  /** Judges by the contract, unless that is off. */
  readonly contract: ContractMode | undefined
}

/** A server, or the exit code of a command that could not start one and has told why. */
export type Starting =
  | { readonly ok: true; readonly server: StartedServer }
  | { readonly ok: false; readonly exitCode: number }

/** Starts what the flags ask for, and tells of it by way of `io`. */
export async function startServer({ io, ...plainFlags }: Invocation<ServeValues>): Promise<Starting> {
  const flags = withTypedPaths(plainFlags, io.env)
  const fromFile = isFile(flags.values.scenario)
  const recorded = flags.values.watch ? (await import('./load/recorded-files.ts')).recordFiles() : undefined
  const progress = createProgress(io.stderr, Date.now)
  const load = (files: UserFiles, before?: Loaded) =>
    loadSituation(flags, { fromFile, files, before, onPetsMade: progress.onPetsMade })
  const loading = await load(recorded ?? userFiles)
  progress.done()
  const opening = await openStateOf(flags, io.pid)
  const all = [
    ...flags.complaints,
    ...flagsTakenByNpm(io.env, flags.typed),
    ...checkWatch(flags, fromFile),
    ...(loading.ok ? [] : loading.complaints),
    ...(opening.ok ? [] : opening.complaints),
  ]
  if (!loading.ok || !opening.ok || all.length > 0) {
    if (opening.ok) await opening.value?.release()
    const isTaken = 'isTaken' in opening && all.length === opening.complaints.length
    return { ok: false, exitCode: isTaken ? refuseStart(all, io) : refuseUsage(all, io) }
  }
  const loaded = loading.value
  const state = opening.value

  const reporter = createReporter(flags.values['log-format'], io)
  const emulator = createServedEmulator(loaded.scenario, flags.values, reporter)
  const { sandboxes } = emulator
  if (loaded.openapi !== undefined) emulator.openAreas(loaded.openapi.areas)
  const restored = state?.restore(sandboxes)
  reporter.hideKeysOf(sandboxes)
  const contractMode = flags.values.contract === 'off' ? undefined : await import('./contract-mode.ts')
  const watching = recorded && (await import('./watch.ts'))
  let door: HttpDoor
  try {
    const { host, port } = flags.values
    const admin = lateAdminPlane({
      emulator,
      fixtures: loaded.fixtures,
      allowedHosts: allowedHosts(flags.values),
      token: flags.values['admin-token'],
      onError: reporter.failure,
    })
    door = await openHttpDoor({
      handle: emulator.answer,
      host,
      port,
      admin,
      onLatency: emulator.metrics.onLatency,
      onError: reporter.failure,
      onRefusal: reporter.refusal,
    })
  } catch (error) {
    await state?.release()
    // What names no system call is a defect of ours, and deserves its stack.
    if (!(error instanceof Error && 'syscall' in error)) throw error
    const { explainListenError } = await import('./explain-listen-error.ts')
    return { ok: false, exitCode: refuseStart([await explainListenError(error, flags.values)], io) }
  }
  // Not before: of two servers on one port the second must not write what the first one keeps. And from here on nothing
  // is waited for: what can be called can be stopped in good order.
  const keeper = state?.keep(emulator, reporter)
  const endWatch =
    recorded &&
    restored?.isAsAsked !== false &&
    watching?.watch({
      loaded,
      files: recorded,
      load,
      adopt: ({ scenario, openapi }) => {
        sandboxes.adopt(scenario, Date.now())
        if (openapi !== undefined) emulator.openAreas(openapi.areas)
      },
      reporter,
    })
  const facts: BannerFacts = {
    version,
    host: door.host,
    port: door.port,
    anyPort: flags.values.port === 0,
    scenario: sandboxes.default.scenario,
    isAdminClosed: flags.values['admin-token'] === undefined && !isLoopback(door.address),
  }
  const { contract: mode, openapi } = flags.values
  const contract =
    mode === 'off' ? undefined : contractMode?.startContractMode(mode, emulator, reporter, openapi)
  const notices = [
    ...unknownVariables(io.env),
    ...(restored === undefined ? [] : [restored.text]),
    ...(loaded.openapi?.lines ?? []),
  ]
  // Programs of the same user find the server by this; nobody has to wait for it.
  const announced = announce({ pid: io.pid, admin: adminUrl(door.host, door.port) })
  const close = async (graceMs: number) => {
    const withdraw = await announced
    await withdraw()
    await door.close(graceMs)
    await keeper?.end()
    if (endWatch) endWatch()
  }
  return {
    ok: true,
    server: { facts, notices, reporter, emulator, fixtures: loaded.fixtures, close, contract },
  }
}

/** Resolves with what takes it back. Begins when those who wait for the server are told. */
async function announce(run: RunFile): Promise<() => Promise<void>> {
  await new Promise(resolve => setImmediate(resolve))
  const { writeRunFile } = await import('./run-files.ts')
  return writeRunFile(run)
}

async function openStateOf(flags: ServeFlagValues, pid: number): Promise<Opening<State | undefined>> {
  const { state } = flags.values
  if (state === undefined) return { ok: true, value: undefined }
  const { openState } = await import('./state/state.ts')
  return openState(state, flags, pid)
}

/** What cannot be done is not begun: nobody would see that nothing is watched. */
function checkWatch({ values, sources }: ServeFlagValues, fromFile: boolean): readonly string[] {
  if (!values.watch || fromFile || (values.fixtures ?? values.openapi) !== undefined) return []
  return [
    `${sources.watch}: there is nothing to watch; --scenario FILE, --fixtures DIR or --openapi FILE names something that can change`,
  ]
}
