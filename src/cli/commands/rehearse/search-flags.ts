import { wholeNumbers } from '../../../base/text/constraint.ts'
import { flagGroup, one, right, wrong } from '../../arguments/flag.ts'
import { numberOf, readDurationFlag } from '../../arguments/flag-values.ts'

const group = flagGroup('Search:')

/** The flags of a search. The other flags of `rehearse` that it takes mean the same. */
export const searchFlags = {
  search: group.toggle({
    about: 'draw situations instead, and write the smallest one that breaks COMMAND as a scenario',
  }),
  'max-runs': group.flag<number>({
    value: 'N',
    about: 'how often COMMAND may run, repetitions included',
    fallback: 200,
    read: one(numberOf(wholeNumbers('a number of runs from 1 to 100000', 1, 100_000))),
  }),
  'max-time': group.optional<number>({
    value: 'DURATION',
    about: 'the longest time of the search, such as 5m: no run starts later',
    parse: readDurationFlag,
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
  finding: group.list({
    value: 'ID',
    about: 'look for this finding only, whatever the exit code; repeatable',
    parse: right,
  }),
  output: group.flag<string>({
    alias: 'o',
    value: 'FILE',
    about: 'write the scenario to this file',
    fallback: 'breaks.yaml',
    isPath: () => true,
    read: one(right),
  }),
  force: group.toggle({ about: 'replace the file even if no search wrote it' }),
}
