import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { NotText } from '../../control/files/document.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { readRun } from '../../judges/box/runs/diff.ts'
import { createLeftOut, leftOutLines } from '../../judges/exchanges/left-out.ts'
import { readRecording } from '../../judges/exchanges/read-recording.ts'
import { mostCalls, whyIncomplete } from '../../judges/recording/take.ts'
import { readText, Unreadable } from '../../library/files/read-file.ts'
import { createSecrets } from '../../service/keys/mask.ts'
import { type Run, refuseUsage } from '../arguments/command.ts'
import { typedPath } from '../start/load/typed-path.ts'
import { exitCodes } from '../terminal/io.ts'
import { printable } from '../terminal/text.ts'
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
  const isBox = /\.petbox$/i.test(path)
  const opening = isBox ? await (await import('../box/open-box.ts')).openBox(path, undefined) : undefined
  if (opening?.ok === false) all.push(...opening.complaints)
  const run = opening?.ok ? await readRun(opening.value) : undefined
  const text = await (isBox
    ? ''
    : readText(path, maxHarBytes).catch((error): undefined => {
        if (!(error instanceof NotText || error instanceof Unreadable)) throw error
        if (path !== '') all.push(`${path} cannot be read (${error.message})`)
      }))
  if (text === undefined || all.length > 0) return refuseUsage(all, io)
  const leftOut = createLeftOut()
  const base = values.url && `${values.url.origin}${values.url.pathname.replace(/\/+$/, '')}`
  const bytes = new TextEncoder().encode(text)
  const har =
    run === undefined
      ? readRecording(bytes, { base, leftOut, keep: exchange => exchange })
      : {
          kind: 'archive',
          calls: run.calls.map(({ exchange }) => writable(exchange)),
          base: 'a run of pet-mock',
          hidesKeys: false,
        }
  if (har?.kind !== 'archive')
    return refuseUsage([`${path} is no HTTP archive (HAR): it has no list log.entries`], io)
  const complete = har.calls.filter(exchange => {
    const reason = whyIncomplete(exchange)
    if (reason !== undefined) leftOut.add(reason)
    return reason === undefined
  })
  if (complete.length === 0) {
    const lines = leftOutLines(leftOut.list()).map(printable)
    const where = base === undefined ? 'under /v1; --url names another base URL' : `below ${base}`
    return refuseUsage([`${path} has no calls of the API ${where}`, ...lines], io)
  }
  const beyond = complete.length - mostCalls
  if (beyond > 0) leftOut.add(`calls beyond the first ${mostCalls}`, undefined, beyond)
  const secrets = createSecrets(values.mask)
  const { base: service = '', hidesKeys } = har
  const source = { name: basename(path), service, hidesKeys, leftOut, secrets, output }
  const held = await finishRecording(complete.slice(0, mostCalls), source, io)
  return held ? exitCodes.fine : exitCodes.findings
}

/** The sign of a mask is no character of a request line. */
function writable(exchange: Exchange): Exchange {
  const { call } = exchange
  return { ...exchange, call: { ...call, target: call.target.replaceAll('…', encodeURIComponent('…')) } }
}
