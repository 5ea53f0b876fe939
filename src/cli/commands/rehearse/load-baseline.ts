import { formatComplaint } from '../../../control/files/complaint.ts'
import { NotText } from '../../../control/files/decode.ts'
import { type Baseline, readBaseline } from '../../../judges/rehearsal/baseline.ts'
import { explainUnreadable, readText } from '../../../library/files/read-file.ts'
import type { Invocation } from '../../arguments/command.ts'
import { failed, type Loading } from '../../start/load/loading.ts'
import { typedPath } from '../../start/load/typed-path.ts'
import type { RehearseValues } from './flags.ts'

/** Reads the file of --baseline, or lists every mistake in it. */
export async function loadBaseline({
  values,
  sources,
  project,
  io,
}: Pick<Invocation<RehearseValues>, 'values' | 'sources' | 'project' | 'io'>): Promise<
  Loading<Baseline | undefined>
> {
  const { baseline } = values
  if (baseline === undefined) return { ok: true, value: undefined }
  const path = project?.flags.has('baseline') === true ? baseline : typedPath(baseline, io.env)
  const unreadable = await explainUnreadable(path, readText, [])
  if (unreadable !== undefined)
    return failed(`${sources.baseline}: ${unreadable}; --write-baseline ${baseline} writes it`)
  try {
    const reading = await readBaseline(path, await readText(path))
    return reading.ok ? reading : failed(...reading.complaints.map(formatComplaint))
  } catch (error) {
    if (!(error instanceof NotText)) throw error
    return failed(formatComplaint({ file: path, ...error.place, message: error.message }))
  }
}
