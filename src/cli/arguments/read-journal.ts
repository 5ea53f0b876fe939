import { parseSize } from '../../base/text/size.ts'
import { showValue } from '../../control/files/show.ts'
import { type JournalLimits, usualJournal } from '../../emulator/journal/journal-budget.ts'
import { type FlagReading, right, wrong } from './flag.ts'

/** More calls than that do not fit in the memory of a Node process. */
const mostEntries = 10_000_000
/** One call with long headers and bodies takes up to 64 KB. */
const leastBytes = 2 ** 20

const expected = 'a size of at least 1MB such as 64MB, a number of calls such as 1000, or both as 1000,64MB'

/** Reads `64MB`, `1000`, both with a comma, or `0`. What is not given keeps its default. */
export function readJournal(text: string): FlagReading<JournalLimits> {
  let limits: Partial<JournalLimits> = {}
  for (const item of text.split(',').map(part => part.trim())) {
    const limit = readLimit(item)
    const isRepeated = limit !== undefined && Object.keys(limit).some(name => Object.hasOwn(limits, name))
    if (limit === undefined || isRepeated) return wrong(`expected ${expected}, found ${showValue(text)}`)
    limits = { ...limits, ...limit }
  }
  return right({ ...usualJournal, ...limits })
}

function readLimit(item: string): Partial<JournalLimits> | undefined {
  const entries = /^\d+$/.test(item) ? Number(item) : undefined
  if (entries !== undefined) return entries <= mostEntries ? { entries } : undefined
  const bytes = parseSize(item)
  return bytes !== undefined && bytes >= leastBytes ? { bytes } : undefined
}
