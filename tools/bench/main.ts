/*
 * Measures pet-mock beside its peers: `npm run bench`. How, and how to read it: docs/contributors/performance.md.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { above0, oneOf, runTool, type Values, WrongUse, wholeNumber, yes } from '../program/flags.ts'
import { temporaryFolder } from '../program/folder.ts'
import { writeRun } from '../program/page.ts'
import { root } from '../program/pet-mock.ts'
import { findLoad } from './load/load.ts'
import { measureBusyCores, readCircumstances } from './machine.ts'
import { type Bench, isNotRun, type Measurement, type NotRun, notRun, type Outcome } from './measurement.ts'
import { measurements } from './measurements/all.ts'
import { installPeers, peerVersions } from './peers.ts'
import { bundlePrograms, Processes } from './processes.ts'
import { type Run, reportText } from './report.ts'

const flags = {
  rounds: wholeNumber(1)('rounds of each measurement', 7),
  seconds: above0('how long a round lasts', 2),
  load: oneOf('NAME', ['wrk', 'autocannon'])('what sends the calls: wrk or autocannon', undefined),
  write: yes('puts the figures into docs/contributors/performance.md'),
}
const tool = {
  ...{ name: 'bench', about: 'Measures pet-mock beside its peers. Without a name, everything.', flags },
  words: { noun: 'measurement', all: measurements },
}

await runTool(tool, async (values, words) => {
  if (values.write && words.length > 0) throw new WrongUse('--write is for a run of everything')
  const run = await measure(
    values,
    measurements.filter(({ name }) => words.length === 0 || words.includes(name)),
  )
  const report = reportText(run)
  process.stdout.write(report)
  await mkdir(join(root, 'tools/bench/results'), { recursive: true })
  const file = `tools/bench/results/${new Date().toISOString().replaceAll(':', '-')}.json`
  await writeFile(join(root, file), `${JSON.stringify(run, null, 2)}\n`)
  process.stderr.write(`All samples are in ${file}\n`)
  if (values.write) await writePages(report)
})

/** Keeps the pages of the run before if a part of this one is missing. */
async function writePages(report: string): Promise<void> {
  if (report.includes('NOT RUN')) {
    process.stderr.write('The pages are as before: the report lists what could not be measured as NOT RUN.\n')
    process.exitCode = 1
    return
  }
  await writeRun(join(root, 'docs/contributors/performance.md'), 'bench', report)
}

async function measure(
  { rounds, seconds, load: wanted }: Values<typeof flags>,
  chosen: readonly Measurement[],
): Promise<Run> {
  const folder = temporaryFolder('bench')
  const processes = new Processes()
  process.once('exit', () => processes.endAll())
  await bundlePrograms(root, folder)
  const wantsPeers = wanted === 'autocannon' || chosen.some(({ needsPeers }) => needsPeers)
  const peers: string | NotRun = wantsPeers
    ? await installPeers(root, processes)
    : { notRun: 'nothing that was asked for needs peers' }
  const load = await findLoad(processes, peers, wanted)
  const versions = isNotRun(peers) ? [] : peerVersions(root)
  const circumstances = await readCircumstances(root, load, versions, seconds)
  const outcomes: Outcome[] = []
  for (const measurement of chosen) {
    process.stderr.write(`${measurement.name} … `)
    const from = performance.now()
    outcomes.push(await outcomeOf(measurement, { root, folder, processes, rounds, seconds, peers, load }))
    process.stderr.write(`${Math.round((performance.now() - from) / 1_000)} s\n`)
  }
  const busyCores = Math.max(circumstances.busyCores, await measureBusyCores(seconds))
  return { circumstances: { ...circumstances, busyCores }, outcomes }
}

/** Reports a measurement that fails as not run. The others still run. */
async function outcomeOf(measurement: Measurement, bench: Bench): Promise<Outcome> {
  try {
    return await measurement.run(bench)
  } catch (error) {
    const samples = notRun(error)
    const series = [{ who: 'pet-mock', what: measurement.about, unit: 'ms', samples } as const]
    return { title: measurement.name, notes: [], series, claims: [] }
  }
}
