import { wholeNumbers } from '../../../base/text/constraint.ts'
import { clockScales } from '../../../emulator/worlds/constraints.ts'
import { type PartName, partNames } from '../../../judges/search/situation.ts'
import { envFlag } from '../../arguments/client-flags.ts'
import { flagGroup, many, one, right, type ValuesOf, wrong } from '../../arguments/flag.ts'
import { numberOf, readDurationFlag, wordOf } from '../../arguments/flag-values.ts'
import { findings, reportFlags } from '../../arguments/report-flags.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'

const situations = flagGroup('Situations:')
const runs = flagGroup('Runs:')
const options = flagGroup('Options:')

const parts = (about: string) =>
  situations.flag<readonly PartName[]>({
    value: 'PART',
    about,
    fallback: [],
    type: 'list',
    words: partNames,
    read: many(wordOf(partNames)),
  })

export const searchFlags = {
  budget: runs.flag<number>({
    value: 'N',
    about: 'how often COMMAND may run, repetitions included',
    fallback: 200,
    read: one(numberOf(wholeNumbers('a number of runs from 1 to 100000', 1, 100_000))),
  }),
  for: runs.optional<number>({
    value: 'DURATION',
    about: 'start no new run after this time, such as 5m',
    parse: readDurationFlag,
  }),
  only: parts(`draw only these parts of a situation: ${partNames.join(', ')}; repeatable [all but hostile]`),
  skip: parts('draw no such part; repeatable'),
  seed: situations.flag<number>({
    value: 'N',
    about: 'the seed of the drawn situations',
    fallback: 1,
    read: one(numberOf(wholeNumbers('a whole number from 0 to 2147483647', 0, 2 ** 31 - 1))),
  }),
  path: situations.optional<string>({
    value: 'PATH',
    about: 'go straight to what a search with this seed found: the path that it printed',
    parse: text =>
      /^\d+(?::\d+)*$/.test(text) ? right(text) : wrong('expected the path of a search, such as 13:0:2'),
  }),
  confirm: runs.flag<number>({
    value: 'N',
    about: 'how often a failure must come again',
    fallback: 3,
    read: one(numberOf(wholeNumbers('a number of runs from 0 to 100', 0, 100))),
  }),
  jobs: runs.flag<number>({
    alias: 'j',
    value: 'N',
    about: 'how many runs at once',
    fallback: 2,
    read: one(numberOf(wholeNumbers('a number of runs from 1 to 64', 1, 64))),
  }),
  timeout: runs.optional<number>({
    value: 'DURATION',
    about: 'a run that takes longer is hung [10s, and ten times the run without a disturbance]',
    parse: readDurationFlag,
  }),
  scale: runs.optional<number>({
    value: 'N',
    about: 'the speed of the clock [such that the longest wait takes some seconds]',
    parse: numberOf(clockScales),
  }),
  env: envFlag,
  finding: findings.flag<readonly string[]>({
    value: 'ID',
    about: 'look for this finding only, whatever the exit code; repeatable',
    fallback: [],
    type: 'list',
    read: many(right),
  }),
  'fail-on': reportFlags['fail-on'],
  output: options.flag<string>({
    alias: 'o',
    value: 'FILE',
    about: 'write the scenario to this file',
    fallback: 'breaks.yaml',
    isPath: () => true,
    read: one(right),
  }),
  force: options.toggle({ about: 'replace the file even if no search wrote it' }),
  report: reportFlags.report,
  mask: { ...serveFlags.mask, group: 'Options:' },
}

export type SearchValues = ValuesOf<typeof searchFlags>
