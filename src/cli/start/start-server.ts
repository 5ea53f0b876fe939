import { isLoopback } from '../../base/text/loopback.ts'
import type { Fixtures } from '../../control/fixtures/fixtures.ts'
import { adminUrl } from '../../doors/server/base-url.ts'
import type { HttpDoor } from '../../doors/server/http-door.ts'
import { nameRun } from '../../doors/server/load-admin.ts'
import { version } from '../../doors/server/version.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import type { Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import { createSecrets } from '../../service/keys/mask.ts'
import type { Invocation } from '../arguments/command.ts'
import { flagsTakenByNpm } from '../arguments/npm-flags.ts'
import type { ServeValues } from '../arguments/serve-flags.ts'
import { unknownVariables } from '../arguments/unknown-variables.ts'
import { createReporter, type Reporter } from '../log/reporter.ts'
import type { BannerFacts } from '../terminal/banner.ts'
import { checkContractMode } from './check-contract-mode.ts'
import type { startContractMode } from './contract-mode.ts'
import { lanAddresses } from './lan-addresses.ts'
import type { ServeFlagValues } from './load/load-from-flags.ts'
import { withTypedPaths } from './load/typed-path.ts'
import { prepareStart } from './prepare-start.ts'
import { type RunFile, writeRunFile } from './run-files.ts'
import { createServedEmulator, openServedDoor } from './serve-emulator.ts'
import { describeOwner } from './state/lock-owner.ts'
import type { Tls } from './tls/load-tls.ts'

/** A server that listens, before anything was printed. */
export interface StartedServer {
  readonly facts: BannerFacts
  /** Notices to print after the banner. */
  readonly notices: readonly string[]
  readonly reporter: Reporter
  readonly emulator: Emulator
  readonly fixtures: Fixtures
  /**
   * Stops the server, after giving running calls at most `graceMs`. Resolves with false if changes of the state could not
   * be saved, which was reported.
   */
  readonly close: (graceMs: number) => Promise<boolean>
  /** Undefined with `--contract off`. */
  readonly contract: ReturnType<typeof startContractMode> | undefined
}

/** A server, or the exit code if it could not start. The reason was printed. */
export type Starting =
  | { readonly ok: true; readonly server: StartedServer }
  | { readonly ok: false; readonly exitCode: number }

/** Starts the server that the flags describe. */
export async function startServer({ io, ...typedFlags }: Invocation<ServeValues>): Promise<Starting> {
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

  const secrets = createSecrets(values.mask)
  const reporter = createReporter(values['log-format'], io, secrets)
  const emulator = createServedEmulator(loaded, values, reporter, secrets)
  const restored = state?.restore(emulator.sandboxes)
  reporter.hideKeysOf(emulator.sandboxes)
  const contractMode = values.contract === 'off' ? undefined : await import('./contract-mode.ts')
  const watchMode = watched && restored?.isAsAsked !== false ? await import('./watch.ts') : undefined
  const keeper = state?.keep(emulator, reporter)
  const start = nameRun()
  let door: HttpDoor
  try {
    door = await openServedDoor(emulator, loaded, values, reporter, keeper?.saveNow, start, tls)
  } catch (error) {
    await state?.release()
    const { refuseToListen } = await import('./explain-listen-error.ts')
    return { ok: false, exitCode: await refuseToListen(error, values, io) }
  }
  // Only a server that listens may write the state file. No `await` from here on: a signal must find what to close.
  keeper?.begin()
  const endWatch = watched && watchMode?.watch(loaded, watched, emulator, reporter)
  const contract = contractMode?.startContractMode(values, emulator, reporter)
  const announced = announce({ pid: io.pid, admin: adminUrl(door), start, certificate: tls?.cert })
  const close = async (graceMs: number) => {
    const withdraw = await announced
    withdraw()
    await door.close(graceMs)
    const isSaved = await keeper?.end()
    endWatch?.()
    return isSaved ?? true
  }
  const facts = {
    ...bannerFacts(door, flags, emulator.sandboxes, tls),
    state: state && { file: values.state ?? '', isNew: restored === undefined },
  }
  const closed = facts.isAdminClosed && values['log-format'] !== 'pretty' ? [closedNotice] : []
  const notices = [
    ...unknownVariables(io.env),
    ...closed,
    restored?.text ?? [],
    loaded.openapi?.lines ?? [],
  ].flat()
  const { fixtures } = loaded
  return { ok: true, server: { facts, notices, reporter, emulator, fixtures, close, contract } }
}

/** The banner says it otherwise. */
const closedNotice =
  'The admin plane is closed, because other machines can reach this server. To open it, set --admin-token or PET_MOCK_ADMIN_TOKEN.'

function bannerFacts(
  { host, port, isTls, address }: HttpDoor,
  { values, project }: ServeFlagValues,
  sandboxes: Sandboxes,
  tls: Tls | undefined,
): BannerFacts {
  const { port: wanted, 'admin-token': token, 'base-url': linkBase } = values
  return {
    version,
    host,
    port,
    isTls,
    network: lanAddresses(host),
    certificate: tls?.isSelfSigned ? tls.file : undefined,
    anyPort: wanted === 0,
    linkBase,
    scenario: sandboxes.default.scenario,
    config: project?.file,
    isAdminClosed: token === undefined && !isLoopback(address),
  }
}

/** Lets programs of the same user find the server. Waits a turn, since nobody needs it at the start. */
async function announce(run: RunFile): Promise<() => void> {
  await new Promise(resolve => setImmediate(resolve))
  return writeRunFile({ ...run, owner: describeOwner(run.pid) })
}
