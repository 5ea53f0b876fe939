import { suggest } from '../../base/text/did-you-mean.ts'
import { showValue } from '../../control/files/show.ts'
import { defaultFailOn, type FailLevel, type FailOn, failLevels } from '../../judges/report/finding.ts'
import { extensionOf, reportExtensions } from '../../judges/report/report.ts'
import { judgeFailedCheck, unjudgedCheck } from '../../judges/report/unjudged.ts'
import { type FlagReading, flagGroup, many, right, wrong } from './flag.ts'

export const findings = flagGroup('Findings:')

/** The flags of every command that reports findings. Each command checks the ids by `unknownIds`. */
export const reportFlags = {
  'fail-on': findings.flag<FailOn>({
    value: 'error|warning|never|unjudged|ID',
    about:
      'which findings lead to exit code 1: errors, also warnings, none, or those with this id; unjudged is what could not be judged; ID=never excludes an id; repeatable [error]',
    fallback: defaultFailOn,
    type: 'list',
    read: texts => combine(many(readWord)(texts)),
  }),
  report: findings.flag<readonly string[]>({
    writes: true,
    value: 'FILE',
    about: 'write a report as .json, .xml (JUnit), .md (job summary) or .html; repeatable',
    fallback: [],
    type: 'list',
    isPath: () => true,
    read: readPaths,
  }),
}

type Word = { readonly level: FailLevel } | { readonly id: string; readonly fails: boolean }

function readWord(text: string): FlagReading<Word> {
  const level = failLevels.find(known => known === text)
  if (level !== undefined) return right({ level })
  const [, id, never] = /^([a-z][a-z0-9]*(?:-[a-z0-9]+)*)(=never)?$/.exec(text) ?? []
  if (id !== undefined) return right({ id, fails: never === undefined })
  return wrong(
    `expected ${failLevels.join(', ')} or the id of a finding, such as early-retry or early-retry=never, found ${showValue(text)}`,
  )
}

/** Only one level is allowed. For an id, the last word counts. */
function combine(reading: FlagReading<readonly Word[]>): FlagReading<FailOn> {
  if (!reading.ok) return reading
  const levels = [...new Set(reading.value.flatMap(word => ('level' in word ? [word.level] : [])))]
  if (levels.length > 1)
    return wrong(`expected one of ${failLevels.join(', ')}, found ${levels.join(' and ')}`)
  const ids = reading.value.flatMap(word => ('id' in word ? [[word.id, word.fails] as const] : []))
  return right({ level: levels[0] ?? defaultFailOn.level, ids: new Map(ids) })
}

function readPaths(texts: readonly string[]): FlagReading<readonly string[]> {
  const unknown = texts.filter(path => extensionOf(path) === undefined && !isJobSummary(path))
  if (unknown.length === 0) return right(texts)
  const expected = `expected a file name that ends in ${reportExtensions.join(', ')}`
  return wrong(...unknown.map(path => `${expected}, found ${showValue(path)}`))
}

/** The file of GITHUB_STEP_SUMMARY: it has no extension, and other steps write to it, too. */
export function isJobSummary(path: string): boolean {
  return /[\\/]step_summary_[^\\/.]+$/.test(path)
}

/** Complaints about ids that no finding has. `own`: besides those of every judge. `source`: where --fail-on is. */
export function unknownIds({ ids }: FailOn, own: readonly string[], source = '--fail-on'): readonly string[] {
  const known = [...own, unjudgedCheck.id, judgeFailedCheck.id]
  const list = `; the ids are ${known.join(', ')}`
  const unknown = [...ids.keys()].filter(id => !known.includes(id))
  return unknown.map(id => `${source}: no finding has the id ${showValue(id)}${suggest(id, known) || list}`)
}
