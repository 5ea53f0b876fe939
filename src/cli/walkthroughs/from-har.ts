import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { maxDepth } from '../../base/json/read.ts'
import { formatCount } from '../../base/text/quantities.ts'
import { formatComplaint } from '../../control/files/complaint.ts'
import { NotText } from '../../control/files/document.ts'
import { shippedFixtures } from '../../control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { readScenario } from '../../control/scenario/read/read.ts'
import { settle } from '../../control/scenario/settle/settle.ts'
import { shippedScenarios } from '../../control/scenario/shipped.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { readRun } from '../../judges/box/runs/diff.ts'
import { createLeftOut, type LeftOutList, leftOutLines } from '../../judges/exchanges/left-out.ts'
import { readRecording } from '../../judges/exchanges/read-recording.ts'
import { recordingText, recordScenario } from '../../judges/recording/record-scenario.ts'
import { mostCalls, whyIncomplete } from '../../judges/recording/take.ts'
import { createInProcessTarget } from '../../judges/walkthrough/in-process.ts'
import { hasPassed, type PlayedStep, play } from '../../judges/walkthrough/play.ts'
import { explainFileError, readText, Unreadable } from '../../library/files/read-file.ts'
import { createSecrets, type Secrets } from '../../service/keys/mask.ts'
import { type RunOf, refuseUsage } from '../arguments/command.ts'
import { typedPath } from '../start/load/loading.ts'
import { exitCodes, type Io } from '../terminal/io.ts'
import { createPaint, printable } from '../terminal/text.ts'
import type { fromFlags } from './flags.ts'
import { createPlayLines } from './play-scenarios.ts'

/** 64 MiB: an archive of a browser holds everything that a page loaded. */
const maxHarBytes = 64 * 2 ** 20

export const run: RunOf<typeof fromFlags> = async ({ values, complaints, words, io }) => {
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
    return refuseUsage([`${path} is no HTTP archive (HAR): ${whyNoArchive(text)}`], io)
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

function whyNoArchive(text: string): string {
  try {
    JSON.parse(text)
    return 'it has no list log.entries'
  } catch (error) {
    return `it is not JSON (${(error as Error).message.replace(/\s+/g, ' ')})`
  }
}

/** The sign of a mask is no character of a request line. */
function writable(exchange: Exchange): Exchange {
  const { call } = exchange
  return { ...exchange, call: { ...call, target: call.target.replaceAll('…', encodeURIComponent('…')) } }
}

interface RecordingSource {
  readonly name: string
  readonly service: string
  /** Whether the recording has no keys, although calls had them. */
  readonly hidesKeys?: boolean
  readonly leftOut: LeftOutList
  readonly secrets: Secrets
  /** The path of the file; undefined: stdout. */
  readonly output: string | undefined
}

/**
 * Writes calls as a scenario with a walkthrough, plays it against an emulator and prints each step that differs. Resolves
 * with whether the file was written and the walkthrough passed.
 */
export async function finishRecording(
  calls: readonly Exchange[],
  source: RecordingSource,
  io: Io,
): Promise<boolean> {
  const { output } = source
  const usable = calls.filter(({ call, reply }) => !isDeep(call.body) && !isDeep(reply.body))
  const deep = calls.length - usable.length
  if (deep > 0) source.leftOut.add(`bodies nested more than ${deepest} deep`, undefined, deep)
  if (deep > 0 && usable.length === 0) {
    io.stderr.write(`Nothing was recorded. Left out:\n${leftOutLines(source.leftOut.list()).join('\n')}\n`)
    return false
  }
  const { recording, text, file } = await recordWithin(usable, source)
  if (output === undefined) io.stdout.write(text)
  else {
    try {
      await writeFile(output, text)
    } catch (error) {
      io.stderr.write(`${printable(output)} cannot be written (${explainFileError(error)})\n`)
      return false
    }
  }
  const where = output === undefined ? '' : ` to ${printable(output)}`
  io.stderr.write(`Recorded ${formatCount(recording.calls, 'call')}${where}.\n`)
  for (const note of recording.notes) io.stderr.write(`${printable(note)}\n`)
  const { leftOut } = recording
  if (leftOut.length > 0) io.stderr.write(`Left out:\n${leftOutLines(leftOut).map(printable).join('\n')}\n`)
  return await playRecording(file, io)
}

/** A step of a walkthrough adds levels of its own. */
const deepest = maxDepth - 8

function isDeep(body: unknown): boolean {
  let [depth, most] = [0, 0]
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : `${body}`
  for (const [sign] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (sign === '[' || sign === '{') depth += 1
    else if (sign === ']' || sign === '}') depth -= 1
    most = Math.max(most, depth)
  }
  return most > deepest
}

async function recordWithin(
  calls: readonly Exchange[],
  { name, service, hidesKeys, leftOut, secrets }: RecordingSource,
) {
  let kept = calls.toSorted((one, other) => one.call.receivedAt - other.call.receivedAt)
  for (;;) {
    const description = `${formatCount(kept.length, 'call')} of ${service}.`
    const options = { name, description, hidesKeys, secrets, fixtures: shippedFixtures }
    const known = leftOut.copy()
    for (let at = kept.length; at < calls.length; at += 1)
      known.add('one scenario cannot hold these calls, too')
    const recording = await recordScenario(kept, { ...options, leftOut: known })
    const text = recordingText(recording)
    // As every command reads it: what cannot be loaded must not be written.
    const sources = { readText: async () => text, fixtures: shippedFixtures, shipped: shippedScenarios }
    const reading = await readScenario('recording.yaml', sources)
    if (reading.ok) return { recording, text, file: reading.value }
    if (kept.length <= 1)
      throw new Error(`The recording is no scenario: ${reading.complaints.map(formatComplaint).join('; ')}`)
    kept = kept.slice(0, Math.floor(kept.length / 2))
  }
}

async function playRecording(file: ScenarioFile, io: Io): Promise<boolean> {
  const steps = file.walkthrough ?? []
  const scenario = settle('recording', file, shippedFixtures)
  const lines = createPlayLines(createPaint(io.stderr), io.stderr.columns ?? 110)
  const played: PlayedStep[] = []
  for await (const step of play(steps, scenario.key, createInProcessTarget(scenario, shippedFixtures))) {
    played.push(step)
    if (step.differences.length > 0 || step.impossible !== undefined)
      io.stderr.write(lines.step(played.length, step))
  }
  io.stderr.write(lines.end(steps, played))
  if (hasPassed(steps, played)) return true
  io.stderr.write(
    'Exit code 1, because the emulator responds to the recorded calls differently from the service.\n',
  )
  return false
}
