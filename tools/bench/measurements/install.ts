import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bench, isNotRun, type Measurement, type Outcome, type Series } from '../measurement.ts'
import { readBenchPackage } from '../peers.ts'
import { compare, interleave } from '../statistics.ts'

export const install: Measurement = {
  name: 'install',
  about: 'the packed size, and a first install with an empty cache, beside Prism’s',
  run,
}

/** Milliseconds. */
const npmTimeout = 300_000

async function run(bench: Bench): Promise<Outcome> {
  const { root, folder, processes } = bench
  const rounds = Math.ceil(bench.rounds / 3)
  const tarball = await pack(bench)
  const { dependencies, overrides } = readBenchPackage(root)
  const prism = '@stoplight/prism-cli'
  const manifests = {
    'pet-mock': { dependencies: { 'pet-mock': `file:${tarball}` } },
    Prism: { dependencies: { [prism]: dependencies[prism] }, overrides },
  }
  const installs = await interleave(manifests, rounds, async manifest => {
    const home = await mkdtemp(join(folder, 'install-'))
    await writeFile(join(home, 'package.json'), JSON.stringify(manifest))
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--cache', join(home, '.cache')]
    const from = performance.now()
    await processes.run({ file: 'npm', args, cwd: home }, npmTimeout)
    const seconds = (performance.now() - from) / 1_000
    const packages = await countPackages(home)
    await rm(home, { recursive: true })
    return { seconds, packages }
  })
  const series = Object.entries(installs).flatMap(([who, all]): readonly Series[] => [
    { who, what: 'first install', unit: 's', samples: isNotRun(all) ? all : all.map(each => each.seconds) },
    {
      who,
      what: 'packages',
      unit: 'packages',
      samples: isNotRun(all) ? all : all.slice(0, 1).map(each => each.packages),
    },
  ])
  const packed: Series = {
    who: 'pet-mock',
    what: 'packed',
    unit: 'MB',
    samples: [(await stat(tarball)).size / 1e6],
  }
  return {
    title: 'Installed',
    notes: [
      `\`npm install\` into an empty folder with an empty cache, ${rounds} of each, in turn, without install scripts. pet-mock comes from its tarball on disk, Prism from the registry, so the network counts for Prism only.`,
    ],
    series: [...series, packed],
    claims: [
      compare(series, 'first install', 'pet-mock', 'Prism', {
        sense: 'at most',
        bar: 0.5,
        goal: 0.25,
      }),
      { what: 'packed, pet-mock', samples: packed.samples, unit: 'MB', sense: 'at most', bar: 5 },
    ],
  }
}

/** The tarball as it would be published, of what is built now. */
async function pack({ root, folder, processes }: Bench): Promise<string> {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [packed] = JSON.parse(await processes.run({ file: 'npm', args, cwd: root }, npmTimeout))
  return join(folder, packed.filename)
}

async function countPackages(home: string): Promise<number> {
  const lock = JSON.parse(await readFile(join(home, 'node_modules/.package-lock.json'), 'utf8'))
  return Object.keys(lock.packages).length
}
