import { decodeText, NotText } from '../../../control/files/decode.ts'
import { readBytes } from '../../../doors/disk/read-bytes.ts'
import { explainFileError } from '../../../doors/disk/read-text.ts'
import { leftOutLines } from '../../../judges/recording/recording-text.ts'
import type { LeftOutList } from '../../../judges/recording/seen-call.ts'
import { readRecording } from '../../../judges/replay/read-recording.ts'
import type { Recording } from '../../../judges/replay/wanted-call.ts'
import { failed, type Loading } from '../../start/load/loading.ts'
import { readStandardInput, standardInput } from '../../terminal/standard-input.ts'

/** 256 MiB. Only the bytes are held, and the calls. */
const maxBytes = 256 * 2 ** 20

/** Reads the recording of a file, or of standard input for `-`. It has at least one call. */
export async function readCalls(
  path: string,
  url: URL | undefined,
  leftOut: LeftOutList,
): Promise<Loading<Recording>> {
  const isInput = path === standardInput
  const bytes = await (isInput ? readStandardInput(maxBytes) : readBytes(path, maxBytes)).catch(
    explainFileError,
  )
  if (typeof bytes === 'string') return failed(`${path} cannot be read (${bytes})`)
  if (bytes.length > maxBytes) return failed(`standard input is longer than ${maxBytes / 2 ** 20} MiB`)
  const base = url && `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  const recording = readRecording(bytes, base, leftOut)
  if (recording === undefined)
    return failed(
      notText(bytes, path) ??
        `${path} is neither an HTTP archive (HAR) nor a log of --log-format json nor a journal`,
    )
  if (recording.calls.length > 0) return { ok: true, value: recording }
  const where = base === undefined ? 'under /v1; --url names another base URL' : `below ${base}`
  return failed(`${path} has no calls of the API ${where}`, ...leftOutLines(leftOut.list()))
}

/** PowerShell writes logs in UTF-16. */
function notText(bytes: Uint8Array, path: string): string | undefined {
  try {
    decodeText(bytes.subarray(0, 2))
    return undefined
  } catch (error) {
    if (error instanceof NotText) return `${path} cannot be read (${error.message})`
    throw error
  }
}
