/*
 * Lets thousands of connections call pet-mock for minutes, and compares all its counts with what was sent: `npm run soak`.
 */
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { explainLimit } from './descriptors.ts'
import { type Options, readOptions } from './options.ts'
import { type Result, runSoak } from './run.ts'

const options = readOptions(process.argv.slice(2))
if ('help' in options) process.stdout.write(`${options.help}\n`)
else if ('problem' in options) {
  process.stderr.write(`${options.problem}\n`)
  process.exitCode = 2
} else process.exitCode = await soak(options)

async function soak(asked: Options): Promise<number> {
  const tooFew = explainLimit(asked.connections)
  if (tooFew !== undefined) {
    process.stderr.write(`${tooFew}\n`)
    return 2
  }
  const folder = await mkdtemp(join(tmpdir(), 'pet-mock-soak-'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      rmSync(folder, { recursive: true, force: true })
      process.exit(1)
    })
  }
  const isTerminal = process.stderr.isTTY === true
  const say = (text: string) => {
    if (isTerminal) process.stderr.write(`\r\x1b[K${text}`)
  }
  try {
    const result = await runSoak(asked, folder, say)
    say('')
    process.stdout.write(describe(result, asked))
    return result.checks.every(({ holds }) => holds) ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function describe(
  { calls, seconds, cpuMs, reopened, checks }: Result,
  { connections, plant }: Options,
): string {
  const rate = Math.round(calls / seconds)
  const circumstances = `Node ${process.version}, ${availableParallelism()} cores`
  const perCall =
    cpuMs === undefined ? '' : `, ${Math.round((cpuMs * 1_000) / calls)} µs of the processor for each`
  const broken = checks.filter(({ holds }) => !holds)
  const width = Math.max(...checks.map(({ what }) => what.length))
  return [
    `Soak: ${calls.toLocaleString('en')} calls over ${connections.toLocaleString('en')} connections in ${seconds.toFixed(0)} s, ${rate.toLocaleString('en')} a second${perCall}. ${circumstances}.`,
    ...(plant === undefined ? [] : [`Planted fault: ${plant}.`]),
    ...(reopened === 0 ? [] : [`Connections that were idle for 4 s, and opened again: ${reopened}.`]),
    '',
    ...checks.map(
      ({ what, found, holds }) => `  ${holds ? 'ok    ' : 'BROKEN'}  ${what.padEnd(width)}  ${found}`,
    ),
    '',
    broken.length === 0
      ? `Passed: all ${checks.length} checks hold.`
      : `FAILED: ${broken.length} of ${checks.length} checks do not hold.`,
    '',
  ].join('\n')
}
