import { writeFile } from 'node:fs/promises'
import { formatCount } from '../../base/text/quantities.ts'
import { formatComplaint } from '../../control/files/complaint.ts'
import { shippedFixtures } from '../../control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { readScenario } from '../../control/scenario/read/read.ts'
import { settle } from '../../control/scenario/settle/settle.ts'
import { shippedScenarios } from '../../control/scenario/shipped.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { type LeftOutList, leftOutLines } from '../../judges/exchanges/left-out.ts'
import { recordingText, recordScenario } from '../../judges/recording/record-scenario.ts'
import { createInProcessTarget } from '../../judges/walkthrough/in-process.ts'
import { hasPassed, type PlayedStep, play } from '../../judges/walkthrough/play.ts'
import { explainFileError } from '../../library/files/read-file.ts'
import type { Secrets } from '../../service/keys/mask.ts'
import type { Io } from '../terminal/io.ts'
import { createPaint, printable } from '../terminal/text.ts'
import { createPlayLines } from './play-scenarios.ts'

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
  const { recording, text, file } = await recordWithin(calls, source)
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

/** Records as many of the calls as fit into a scenario file. */
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
    if (reading.ok) return { recording, text, file: reading.value.file }
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
    'Exit code 1, because the emulator answers the recorded calls otherwise than the service did.\n',
  )
  return false
}
