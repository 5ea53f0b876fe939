import { refuseStart, refuseUsage } from '../arguments/usage-error.ts'
import type { Io } from '../terminal/io.ts'
import { createProgress } from '../terminal/progress.ts'
import { type Loaded, loadFromFlags, type ServeFlagValues } from './load/load-from-flags.ts'
import { isFile } from './load/load-scenario.ts'
import { complaintsOf, type Loading } from './load/loading.ts'
import { type UserFiles, userFiles } from './load/user-files.ts'
import type { State } from './state/state.ts'
import type { Opening } from './state/state-file.ts'
import type { Tls } from './tls/load-tls.ts'
import type { Watched } from './watch.ts'

/** Everything that is read before the server listens, or the exit code. */
type Prepared =
  | {
      readonly ok: true
      readonly loaded: Loaded
      /** Only with --state. */
      readonly state: State | undefined
      /** Only for HTTPS. */
      readonly tls: Tls | undefined
      /** Only with --watch. */
      readonly watched: Watched | undefined
    }
  | { readonly ok: false; readonly exitCode: number }

/** Reads all files that the flags name. Prints every mistake, after `complaints`, if there are any. */
export async function prepareStart(
  flags: ServeFlagValues,
  complaints: readonly string[],
  io: Io,
): Promise<Prepared> {
  const fromFile = isFile(flags.values.scenario)
  const files = flags.values.watch ? (await import('./load/recorded-files.ts')).recordFiles() : undefined
  const progress = createProgress(io.stderr, Date.now)
  const load = (files: UserFiles, before?: Loaded) =>
    loadFromFlags(flags, { fromFile, files, before, onPetsMade: progress.onPetsMade })
  const loading = await load(files ?? userFiles)
  progress.done()
  const tls = await loadTlsOf(flags, io)
  const opening = await openStateOf(flags, io)
  const all = [
    ...complaints,
    ...checkWatch(flags, fromFile),
    ...checkStateSync(flags),
    ...complaintsOf(loading, tls, opening),
  ]
  if (loading.ok && tls.ok && opening.ok && all.length === 0) {
    const watched = files && { files, load }
    return { ok: true, loaded: loading.value, state: opening.value, tls: tls.value, watched }
  }
  if (opening.ok) await opening.value?.release()
  const isTaken = 'isTaken' in opening && all.length === opening.complaints.length
  return { ok: false, exitCode: isTaken ? refuseStart(all, io) : refuseUsage(all, io) }
}

async function openStateOf(flags: ServeFlagValues, io: Io): Promise<Opening<State | undefined>> {
  const { state } = flags.values
  if (state === undefined) return { ok: true, value: undefined }
  const { openState } = await import('./state/state.ts')
  return openState(state, flags, io)
}

async function loadTlsOf(flags: ServeFlagValues, io: Io): Promise<Loading<Tls | undefined>> {
  const { tls, 'tls-cert': cert, 'tls-key': key } = flags.values
  if (!tls && cert === undefined && key === undefined) return { ok: true, value: undefined }
  const { loadTls } = await import('./tls/load-tls.ts')
  return loadTls(flags, io.env)
}

/** Rejects `--watch` when there is nothing to watch. */
function checkWatch({ values, sources }: ServeFlagValues, fromFile: boolean): readonly string[] {
  if (!values.watch || fromFile || (values.fixtures ?? values.openapi) !== undefined) return []
  return [`${sources.watch}: nothing to watch; add --scenario FILE, --fixtures DIR or --openapi FILE`]
}

function checkStateSync({ values, sources }: ServeFlagValues): readonly string[] {
  if (values['state-sync'] !== 'always' || values.state !== undefined) return []
  return [`${sources['state-sync']}: nothing to save; add --state FILE`]
}
