import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isLoopback } from '../../base/text/loopback.ts'
import { coveredRules } from '../../control/scenario/checks/rules.ts'
import { adminUrl, reachableHost } from '../../doors/server/base-url.ts'
import type { HttpDoor } from '../../doors/server/http-door.ts'
import { nameRun } from '../../doors/server/load-admin.ts'
import { version } from '../../doors/server/version.ts'
import type { Emulator, EmulatorOptions } from '../../emulator/emulator.ts'
import type { BrowsedBox } from '../../judges/box/runs/browse-box.ts'
import { createSecrets } from '../../service/keys/mask.ts'
import { type Invocation, refuseUsage } from '../arguments/command.ts'
import { flagsTakenByNpm } from '../arguments/other-tools.ts'
import type { ServeValues } from '../arguments/serve-flags.ts'
import { unknownVariables } from '../arguments/server-flags.ts'
import { createReporter } from '../log/reporter.ts'
import type { BannerFacts } from '../terminal/banner.ts'
import { exitCodes, type Io } from '../terminal/io.ts'
import { createProgress } from '../terminal/progress.ts'
import { type Loaded, loadFromFlags, type ServeFlagValues, withTypedPaths } from './load/load-from-flags.ts'
import { isFile } from './load/load-scenario.ts'
import { complaintsOf, type Loading, type UserFiles, userFiles } from './load/loading.ts'
import { writeRunFile } from './run-files.ts'
import { checkContractMode, createServedEmulator, openServedDoor, servedAs } from './serve-emulator.ts'
import type { Tls } from './state/load-tls.ts'
import { describeOwner } from './state/lock-owner.ts'

/** A server that listens, before anything was printed. The caller ends its box after it. */
export type StartedServer = Extract<Awaited<ReturnType<typeof startServer>>, { ok: true }>['server']

/**
 * Resolves with a server, or with the exit code if it could not start: the reason was printed. `pass`: see EmulatorOptions.
 * `opened`: an emulator to serve in place of one that starts from the flags.
 */
export async function startServer(
  { io, loadCommands, ...typedFlags }: Invocation<ServeValues>,
  pass?: EmulatorOptions['pass'],
  opened?: { readonly emulator: Emulator; readonly browsed: BrowsedBox },
) {
  const flags = withTypedPaths(typedFlags, io.env)
  const { values } = flags
  const complaints = [
    ...flags.complaints,
    ...flagsTakenByNpm(io.env, flags.typed),
    ...checkContractMode(values.contract, flags.sources.contract),
  ]
  const prepared = await prepareStart(flags, complaints, io)
  if (!prepared.ok) return prepared
  const { loaded, state, tls, watched } = prepared
  const warnings = [...(await unknownVariables(io.env, loadCommands))]

  const secrets = createSecrets(values.mask)
  const reporter = createReporter(values['log-format'], io, secrets)
  const emulator = opened?.emulator ?? createServedEmulator(loaded, values, reporter, secrets, pass)
  const stateMode = state && (await import('./state/keep-state.ts'))
  const restored = state && stateMode?.restoreState(state, emulator.sandboxes, flags)
  reporter.hideKeysOf(emulator.sandboxes)
  const contractMode = values.contract ? await import('./contract-mode.ts') : undefined
  const watchMode = watched && restored?.isAsAsked !== false ? await import('./watch.ts') : undefined
  const keeper = state && stateMode?.keepState(emulator, state, reporter, restored?.isAsSaved ?? false)
  // The admin plane and the keys of the terminal read these after a reload, too.
  const fixtures = { ...loaded.fixtures }
  const start = nameRun()
  const { box: path, 'box-size': size } = values
  const boxMode = path === undefined ? undefined : await import('../box/box-file.ts')
  const box = boxMode?.startBox(path ?? '', emulator, servedAs(values), size, io)
  let door: HttpDoor
  try {
    const options = { saveState: keeper?.saveNow, start, tls, box, opened: opened?.browsed }
    door = await openServedDoor(emulator, fixtures, values, reporter, options)
  } catch (error) {
    await state?.release()
    await box?.end(false)
    const { refuseToListen } = await import('./running-servers.ts')
    return { ok: false as const, exitCode: await refuseToListen(error, values, io) }
  }
  // Only a server that listens may write the state file. No `await` from here on: a signal must find what to close.
  keeper?.begin()
  const contract = contractMode?.startContractMode(loaded.openapi, emulator, reporter)
  const onReload = (after: Loaded, isOtherContract: boolean) => {
    Object.assign(fixtures, after.fixtures)
    if (isOtherContract) contract?.reload(after.openapi)
  }
  const endWatch = watched && watchMode?.watch(loaded, watched, emulator, reporter, onReload)
  const run = { pid: io.pid, admin: adminUrl(door), start, certificate: tls?.cert }
  // Lets programs of the same user find the server. Waits a turn, since nobody needs it at the start.
  const announced = nextTurn().then(() => writeRunFile({ ...run, owner: describeOwner(run.pid) }))
  /**
   * Stops the server, after giving running calls at most `graceMs`. Resolves with false if changes of the state could not
   * be saved, which was reported.
   */
  const close = async (graceMs: number) => {
    const withdraw = await announced
    withdraw()
    await door.close(graceMs)
    const isSaved = await keeper?.end()
    endWatch?.()
    return isSaved ?? true
  }
  const { host, port, isTls, address } = door
  const facts: BannerFacts = {
    version,
    host,
    port,
    isTls,
    network: lanAddresses(host),
    certificate: tls?.isSelfSigned ? tls.file : undefined,
    anyPort: values.port === 0,
    linkBase: values['base-url'],
    scenario: emulator.sandboxes.default.scenario,
    config: flags.project?.file,
    isAdminClosed: values['admin-token'] === undefined && !isLoopback(address),
    state: state && { file: values.state ?? '', isNew: restored === undefined },
  }
  // The banner says it otherwise.
  if (facts.isAdminClosed && values['log-format'] !== 'pretty')
    warnings.push(
      'The admin plane is closed, because other machines can reach this server. To open it, set --admin-token or PET_MOCK_ADMIN_TOKEN.',
    )
  const { openapi, file } = loaded
  const notices = [...warnings, restored?.text ?? [], openapi?.lines ?? [], coveredRules(file)].flat()
  const server = { facts, notices, reporter, emulator, fixtures, close, contract, box }
  return { ok: true as const, server }
}

/** Reads all files that the flags name. Prints every mistake, after `complaints`, if there are any. */
async function prepareStart(flags: ServeFlagValues, complaints: readonly string[], io: Io) {
  const fromFile = isFile(flags.values.scenario)
  const files = flags.values.watch ? (await import('./watch.ts')).recordFiles() : undefined
  const progress = createProgress(io.stderr, Date.now)
  const load = (files: UserFiles, before?: Loaded) =>
    loadFromFlags(flags, { fromFile, files, before, onPetsMade: progress.onPetsMade })
  const loading = await load(files ?? userFiles)
  progress.done()
  const tls = await loadTlsOf(flags, io)
  const opening = await openStateOf(flags, io)
  const all = [...complaints, ...checkFiles(flags, fromFile), ...complaintsOf(loading, tls, opening)]
  if (loading.ok && tls.ok && opening.ok && all.length === 0) {
    const watched = files && { files, load }
    return { ok: true as const, loaded: loading.value, state: opening.value, tls: tls.value, watched }
  }
  if (opening.ok) await opening.value?.release()
  const isTaken = !opening.ok && 'isTaken' in opening && all.length === opening.complaints.length
  return { ok: false as const, exitCode: refuseUsage(all, io, isTaken ? exitCodes.cannotStart : undefined) }
}

async function openStateOf(flags: ServeFlagValues, io: Io) {
  const { state } = flags.values
  if (state === undefined) return { ok: true as const, value: undefined }
  const { openStateFile } = await import('./state/state-file.ts')
  return openStateFile(state, flags.sources.state, io.pid, text => io.stderr.write(`${text}\n`))
}

async function loadTlsOf(flags: ServeFlagValues, io: Io): Promise<Loading<Tls | undefined>> {
  const { tls, 'tls-cert': cert, 'tls-key': key } = flags.values
  if (!tls && cert === undefined && key === undefined) return { ok: true, value: undefined }
  const { loadTls } = await import('./state/load-tls.ts')
  return loadTls(flags, io.env)
}

/** Complaints about --watch and --state-sync where no file is watched or saved. */
function checkFiles({ values, sources }: ServeFlagValues, fromFile: boolean): readonly string[] {
  const { watch, fixtures, openapi, profile, state, 'state-sync': sync } = values
  const files = '--scenario FILE, --fixtures DIR, --profile FILE or --openapi FILE'
  const isWatched = fromFile || (fixtures ?? openapi ?? profile) !== undefined
  return [
    ...(watch && !isWatched ? [`${sources.watch}: nothing to watch; add ${files}`] : []),
    ...(sync === 'always' && state === undefined
      ? [`${sources['state-sync']}: nothing to save; add --state FILE`]
      : []),
  ]
}

/** Containers can add many. */
const mostShown = 5

/** The addresses by which other machines reach a server that listens on every address; none for other servers. */
export function lanAddresses(
  host: string,
  interfaces?: ReturnType<typeof networkInterfaces>,
): readonly string[] {
  if (reachableHost(host) === host) return []
  return Object.values(interfaces ?? networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .filter(({ internal, family }) => !internal && (family === 'IPv4' || isIPv6(host)))
    .map(({ address }) => address)
    .filter(address => !/^fe80:/i.test(address))
    .slice(0, mostShown)
}
