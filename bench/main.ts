/*
 * Measures pet-mock beside its peers: `npm run bench`. How, and how to read it: docs/performance.md.
 */
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundlePrograms } from './bundle-programs.ts'
import { findLoad } from './load/load.ts'
import { measureBusyCores, readCircumstances } from './machine.ts'
import type { Bench, Measurement, Outcome } from './measurement.ts'
import { measurements } from './measurements/all.ts'
import { isNotRun, type NotRun, notRun } from './not-run.ts'
import { type Options, readOptions } from './options.ts'
import { installPeers, peerVersions } from './peers.ts'
import { Processes } from './processes.ts'
import { headlinesText } from './report/claims.ts'
import { writePage } from './report/page.ts'
import { type Run, reportText } from './report/report.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const options = readOptions(process.argv.slice(2), measurements)
if ('help' in options) process.stdout.write(`${options.help}\n`)
else if ('problem' in options) {
  process.stderr.write(`${options.problem}\n`)
  process.exitCode = 2
} else await bench(options)

async function bench(asked: Options): Promise<void> {
  const processes = new Processes()
  const folder = await mkdtemp(join(tmpdir(), 'pet-mock-bench-'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      processes.endAll()
      rmSync(folder, { recursive: true, force: true })
      process.exit(1)
    })
  }
  try {
    const run = await measure(asked, processes, folder)
    const report = reportText(run)
    process.stdout.write(report)
    await mkdir(join(root, 'bench/results'), { recursive: true })
    const file = `bench/results/${new Date().toISOString().replaceAll(':', '-')}.json`
    await writeFile(join(root, file), `${JSON.stringify(run, null, 2)}\n`)
    process.stderr.write(`All samples are in ${file}\n`)
    if (asked.write) await writePages(run, report)
  } finally {
    processes.endAll()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Keeps the pages of the run before if a part of this one is missing. */
async function writePages({ outcomes }: Run, report: string): Promise<void> {
  if (report.includes('NOT RUN')) {
    process.stderr.write('The pages are as before: the report lists what could not be measured as NOT RUN.\n')
    process.exitCode = 1
    return
  }
  await writePage(join(root, 'docs/performance.md'), report)
  await writePage(join(root, 'README.md'), headlinesText(outcomes.flatMap(({ claims }) => claims)))
}

async function measure(
  { chosen, rounds, seconds, ...asked }: Options,
  processes: Processes,
  folder: string,
): Promise<Run> {
  await bundlePrograms(root, folder)
  const wantsPeers = asked.load === 'autocannon' || chosen.some(({ needsPeers }) => needsPeers)
  const peers: string | NotRun = wantsPeers
    ? await installPeers(root, processes)
    : { notRun: 'nothing that was asked for needs peers' }
  const load = await findLoad(processes, peers, asked.load)
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
