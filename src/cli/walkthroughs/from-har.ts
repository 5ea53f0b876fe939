import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { NotText } from '../../control/files/decode.ts'
import { readText, Unreadable } from '../../doors/disk/read-text.ts'
import { readHar } from '../../judges/recording/read-har.ts'
import { leftOutLines } from '../../judges/recording/recording-text.ts'
import { createLeftOut } from '../../judges/recording/seen-call.ts'
import { createSecrets } from '../../service/keys/mask.ts'
import type { Run } from '../arguments/command.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import { typedPath } from '../start/load/typed-path.ts'
import { exitCodes } from '../terminal/io.ts'
import { printable } from '../terminal/printable.ts'
import { finishRecording } from './finish-recording.ts'
import type { FromValues } from './flags.ts'

/** 64 MiB: an archive of a browser holds everything that a page loaded. */
const maxHarBytes = 64 * 2 ** 20

export const run: Run<FromValues> = async ({ values, complaints, words, io }) => {
  const [path = ''] = words
  const output = values.output && typedPath(values.output, io.env)
  const all = [...complaints]
  if (output !== undefined && !values.force && existsSync(output))
    all.push(`${output} already exists: --force replaces it`)
  const text = path === '' ? undefined : await readArchive(path)
  if (text?.ok === false) all.push(text.problem)
  if (text?.ok !== true || all.length > 0) return refuseUsage(all, io)
  const leftOut = createLeftOut()
  const base = values.url && `${values.url.origin}${values.url.pathname.replace(/\/+$/, '')}`
  const har = readHar(text.value, base, leftOut)
  if (har === undefined)
    return refuseUsage([`${path} is no HTTP archive (HAR): it has no list log.entries`], io)
  if (har.calls.length === 0) {
    const lines = leftOutLines(leftOut.list()).map(printable)
    const where = base === undefined ? 'under /v1; --url names another base URL' : `below ${base}`
    return refuseUsage([`${path} has no calls of the API ${where}`, ...lines], io)
  }
  const held = await finishRecording(
    har.calls,
    { name: basename(path), service: har.base ?? '', leftOut, secrets: createSecrets(values.mask), output },
    io,
  )
  return held ? exitCodes.fine : exitCodes.findings
}

async function readArchive(path: string) {
  try {
    return { ok: true as const, value: await readText(path, maxHarBytes) }
  } catch (error) {
    if (error instanceof NotText || error instanceof Unreadable)
      return { ok: false as const, problem: `${path} cannot be read (${error.message})` }
    throw error
  }
}
