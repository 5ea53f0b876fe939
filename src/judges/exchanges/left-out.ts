import { escapeInvisible } from '../../base/text/invisible.ts'
import { clip } from '../../service/call/echo.ts'

/** What a reading or a recording does not hold: a reason, how often, and the first examples. */
export interface LeftOut {
  readonly reason: string
  readonly count: number
  readonly examples: readonly string[]
}

const mostReasons = 100
const mostExamples = 3

export interface LeftOutList {
  readonly add: (reason: string, example?: string, count?: number) => void
  readonly list: () => readonly LeftOut[]
  /** A list of its own with the same reasons. */
  readonly copy: () => LeftOutList
}

export function createLeftOut(before: readonly LeftOut[] = []): LeftOutList {
  const found = new Map(
    before.map(({ reason, count, examples }) => [reason, { count, examples: new Set(examples) }]),
  )
  const list = () =>
    Array.from(found, ([reason, { count, examples }]) => ({ reason, count, examples: [...examples] }))
  return {
    list,
    copy: () => createLeftOut(list()),
    add: (reason, example, count = 1) => {
      const name = found.has(reason) || found.size < mostReasons ? reason : 'other reasons'
      const entry = found.get(name) ?? { count: 0, examples: new Set<string>() }
      found.set(name, entry)
      entry.count += count
      if (example !== undefined && entry.examples.size < mostExamples) entry.examples.add(example)
    },
  }
}

/** The first examples in parentheses; empty without any. */
export function showExamples({ count, examples }: LeftOut): string {
  return examples.length === 0 ? '' : ` (${examples.join(', ')}${count > examples.length ? ', …' : ''})`
}

const longestLine = 200

/** A line for each reason: how often, and the first examples. */
export function leftOutLines(leftOut: readonly LeftOut[]): readonly string[] {
  return leftOut.map(one =>
    clip(escapeInvisible(`- ${one.count} × ${one.reason}${showExamples(one)}`), longestLine),
  )
}
