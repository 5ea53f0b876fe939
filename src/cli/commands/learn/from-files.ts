import type { Exchange } from '../../../emulator/journal/exchange.ts'
import { createLeftOut, leftOutLines } from '../../../judges/exchanges/left-out.ts'
import { readRecording } from '../../../judges/exchanges/read-recording.ts'
import { explainFileError, maxSnapshotBytes, readBytes } from '../../../library/files/read-file.ts'
import { failed, type Loading } from '../../start/load/loading.ts'
import { typedPath } from '../../start/load/typed-path.ts'
import type { Io } from '../../terminal/io.ts'
import { serviceOf } from '../check/run.ts'

/** Reads archives, journals and logs of one service. */
export async function readRecordings(
  names: readonly string[],
  { url }: { readonly url: URL | undefined },
  io: Io,
): Promise<Loading<{ readonly service: string; readonly exchanges: readonly Exchange[] }>> {
  const leftOut = createLeftOut()
  const exchanges: Exchange[] = []
  const complaints: string[] = []
  let service = url === undefined ? undefined : serviceOf(url)
  for (const name of names) {
    try {
      const bytes = await readBytes(typedPath(name, io.env), maxSnapshotBytes)
      const recording = readRecording(bytes, { base: service, leftOut, keep: exchange => exchange })
      if (recording === undefined)
        complaints.push(
          `${name} is no recording: expected an HTTP archive, a log of --log-format json or the JSON of GET /__admin/requests`,
        )
      else {
        service ??= recording.base
        exchanges.push(...recording.calls)
      }
    } catch (error) {
      complaints.push(`${name} cannot be read (${explainFileError(error)})`)
    }
  }
  for (const line of leftOutLines(leftOut.list())) io.stderr.write(`Left out: ${line.slice(2)}\n`)
  if (complaints.length > 0) return failed(...complaints)
  if (service === undefined)
    return failed('--url is missing: a journal and a log do not name the service that they are of')
  if (exchanges.length === 0) return failed(`no call of ${service} is in ${names.join(', ')}`)
  return { ok: true, value: { service, exchanges } }
}
