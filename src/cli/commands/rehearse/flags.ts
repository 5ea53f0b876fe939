import { wholeNumbers } from '../../../base/text/constraint.ts'
import { shippedScenarios } from '../../../control/scenario/shipped.ts'
import { clockScales } from '../../../emulator/worlds/constraints.ts'
import { flagGroup, one, right, type ValuesOf, wrong } from '../../arguments/flag.ts'
import { duration, numberOf, readDurationFlag } from '../../arguments/flag-values.ts'
import { findings, reportFlags } from '../../arguments/report-flags.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'
import { envFlag } from '../../arguments/server-flags.ts'

const runs = flagGroup('Runs:')

const timeouts = wholeNumbers('a duration from 1ms to 24h', 1, 86_400_000)

const counts = numberOf(wholeNumbers('a whole number from 1 to 1000', 1, 1_000))

const group = flagGroup('Search:', '', 'search')

/** The flags of a search. The other flags of `rehearse` that it takes mean the same. */
const searchFlags = {
  search: flagGroup('Search:').toggle({
    about: 'draw situations instead, and write the smallest one that breaks COMMAND as a scenario',
  }),
  'max-runs': group.flag<number>({
    value: 'N',
    about: 'how often COMMAND may run, repetitions included',
    fallback: 200,
    read: one(numberOf(wholeNumbers('a number of runs from 1 to 100000', 1, 100_000))),
  }),
  'max-time': group.optional<number>({
    ...duration,
    about: 'the longest time of the search, such as 5m: no run starts later',
  }),
  path: group.optional<string>({
    value: 'PATH',
    about: 'go straight to what a search with this seed found: the path that it printed',
    parse: text =>
      /^\d+(?::\d+)*$/.test(text) ? right(text) : wrong('expected the path of a search, such as 13:0:2'),
  }),
  confirm: group.flag<number>({
    value: 'N',
    about: 'how often a failure must come again',
    fallback: 3,
    read: one(numberOf(wholeNumbers('a number of runs from 0 to 100', 0, 100))),
  }),
  finding: group.texts({
    value: 'ID',
    about: 'look for this finding only, whatever the exit code; repeatable',
  }),
  output: group.flag<string>({
    writes: true,
    alias: 'o',
    value: 'FILE',
    about: 'write the scenario to this file',
    fallback: 'breaks.yaml',
    isPath: () => true,
    read: one(right),
  }),
  force: group.toggle({ about: 'replace the file even if no search wrote it' }),
}

const situations = flagGroup('Situations:')

export const rehearseFlags = {
  add: situations.texts({
    value: 'FILE|DIR',
    about: 'also rehearse your own scenario, or all of a directory; repeatable',
    isPath: text => !shippedScenarios.has(text),
  }),
  only: situations.texts({
    value: 'NAME',
    about:
      'rehearse only these situations; * stands for any text; repeatable; with --search, the parts to draw',
  }),
  skip: situations.texts({
    value: 'NAME',
    about: 'leave out these situations, or with --search these parts; * stands for any text; repeatable',
  }),
  sunset: situations.toggle({
    about: 'rehearse the end of deprecated operations instead, from today until the day after their removal',
  }),
  jobs: runs.optional<number>({
    value: 'N',
    about: 'how many runs at once [as many as the machine has room for; 2 for --search]',
    type: 'number',
    parse: counts,
  }),
  repeat: runs.flag<number>({
    value: 'N',
    about: 'runs of each situation: a client that passes only some of them is flaky',
    type: 'number',
    fallback: 1,
    read: one(counts),
  }),
  instances: runs.flag<number>({
    value: 'N',
    about: 'run N of the command at once on one key, each with an address of its own, after one alone',
    type: 'number',
    fallback: 1,
    read: one(numberOf(wholeNumbers('a whole number from 1 to 100', 1, 100))),
  }),
  scale: runs.optional<number>({
    value: 'N',
    about: 'run every clock this many times as fast [the longest wait of a situation takes 2 s]',
    type: 'number',
    parse: numberOf(clockScales),
  }),
  seed: {
    ...serveFlags.seed,
    group: 'Runs:',
    about: "one seed for all situations [each scenario's own; 1 for --search]",
  },
  timeout: runs.flag<number>({
    value: 'DURATION',
    about: 'how long one run may take, in real time; then it counts as hung',
    fallback: 60_000,
    defaultText: '60s',
    read: one(text => {
      const ms = readDurationFlag(text)
      const isFine = !ms.ok || timeouts.accepts(ms.value)
      return isFine ? ms : wrong(`expected ${timeouts.expected}, found ${text}`)
    }),
  }),
  env: envFlag,
  'add-key': serveFlags['add-key'],
  pets: serveFlags.pets,
  profile: serveFlags.profile,
  latency: serveFlags.latency,
  fixtures: serveFlags.fixtures,
  openapi: serveFlags.openapi,
  'openapi-only': serveFlags['openapi-only'],
  cors: serveFlags.cors,
  'allowed-hosts': serveFlags['allowed-hosts'],
  'no-marks': serveFlags['no-marks'],
  mask: serveFlags.mask,
  'no-config': serveFlags['no-config'],
  ...searchFlags,
  box: findings.path({
    variable: 'PET_MOCK_REHEARSE_BOX',
    value: 'DIR',
    about: 'write a box of each failed run to this directory, for pet-mock box open',
  }),
  baseline: findings.path({ about: 'fail only on what is worse than in this file' }),
  'write-baseline': findings.path({
    writes: true,
    about: 'write what fails now to this file, for --baseline',
  }),
  'fail-on': {
    ...reportFlags['fail-on'],
    about:
      'which findings about conduct fail a situation, instead of those that its scenario says: errors, also warnings, none, or those with this id; ID=never excludes an id; repeatable',
  },
  report: reportFlags.report,
}

export type RehearseValues = ValuesOf<typeof rehearseFlags>
