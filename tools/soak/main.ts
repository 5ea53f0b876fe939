/*
 * Lets thousands of connections call pet-mock for minutes, and compares all its counts with what was sent: `npm run soak`.
 */
import { availableParallelism } from 'node:os'
import { above0, oneOf, runTool, WrongUse, wholeNumber, yes } from '../program/flags.ts'
import { temporaryFolder } from '../program/folder.ts'
import { explainLimit } from './descriptors.ts'
import { type Options, plants, type Result, runSoak } from './run.ts'

const sizes = {
  long: { calls: 2_000_000, connections: 5_000, minutes: 45 },
  short: { calls: 20_000, connections: 200, minutes: 10 },
}

const tool = {
  name: 'soak',
  about: `Runs the built command with the journal, the JSON log, --contract, --state, readers of metrics and of events, and
lets clients call it. Then it compares all counts of the server with what the clients sent. Exit code 1 if anything
differs, or if memory grows.`,
  flags: {
    short: yes('20000 calls, 200 connections, 10 minutes'),
    calls: wholeNumber(20_000)('how many calls [2000000]', undefined),
    connections: wholeNumber(2, 20_000)('how many connections stay open [5000]', undefined),
    minutes: above0('when to give up [45]', undefined),
    plant: oneOf('FAULT', plants)(`plants a fault in the server: ${plants.join(' or ')}`, undefined),
  },
}

await runTool(tool, async ({ short, plant, ...given }) => {
  const usual = short ? sizes.short : sizes.long
  const { calls = usual.calls, connections = usual.connections, minutes = usual.minutes } = given
  const tooFew = explainLimit(connections)
  if (tooFew !== undefined) throw new WrongUse(tooFew)
  const say = (text: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
  }
  const asked: Options = { calls, connections, minutes, plant }
  const result = await runSoak(asked, temporaryFolder('soak'), say)
  say('')
  process.stdout.write(describe(result, asked))
  process.exitCode = result.checks.every(({ holds }) => holds) ? 0 : 1
})

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
