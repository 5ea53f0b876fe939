import { beyondTheEnd, type Equivalent, inFile, onlyFaster, overwritten } from './equivalent.ts'

const holdsSomething = 'a journal that holds most holds something'
const tie = 'of two that are equal, either may come first'

export const inTheJournal: readonly Equivalent[] = [
  ...inFile(
    'src/emulator/journal/recorded-call.ts',
    overwritten,
    ["''", '"Stryker was here!"'],
    ['[]', '["Stryker was here"]'],
    ["'http'", '""'],
    ["'failure'", '""'],
    ['false', 'true'],
  ),
  ...inFile(
    'src/emulator/journal/recorded-call.ts',
    onlyFaster,
    ['headerBytes <= keptHeader', 'headerBytes < keptHeader'],
    ['!longCall && !longReply && headerBytes <= keptHeader', 'false'],
  ),
  ...inFile('src/emulator/journal/journal-budget.ts', overwritten, ['-1', '+1']),
  ...inFile('src/emulator/journal/journal-budget.ts', onlyFaster, [
    'this.#bytes > this.limits.bytes && holder.bytes > most',
    'false',
  ]),
  ...inFile(
    'src/emulator/journal/journal-budget.ts',
    tie,
    ['holder.bytes > most', 'holder.bytes >= most'],
    ['above.bytes >= holder.bytes', 'above.bytes > holder.bytes'],
    ['right.bytes > left.bytes', 'right.bytes >= left.bytes'],
    ['greater.bytes <= holder.bytes', 'greater.bytes < holder.bytes'],
  ),
  ...inFile('src/emulator/journal/journal-budget.ts', holdsSomething, ['freed === 0', 'false']),
  ...inFile(
    'src/emulator/journal/journal-budget.ts',
    'a journal that holds as much as before keeps its place',
    ['holder.bytes > before', 'holder.bytes >= before'],
  ),
  ...inFile(
    'src/emulator/journal/journal-budget.ts',
    beyondTheEnd,
    ['holder.place > 0', 'holder.place >= 0'],
    ['2 * holder.place + 2', '2 * holder.place - 2'],
    ['next < this.#heap.length', 'true'],
    ['next < this.#heap.length', 'next <= this.#heap.length'],
  ),
  ...inFile('src/emulator/journal/journal.ts', overwritten, ['-1', '+1']),
  ...inFile(
    'src/emulator/journal/journal.ts',
    onlyFaster,
    ['size < entries', 'true'],
    ['size < entries', 'size <= entries'],
    ['change !== 0', 'true'],
    ['this.#breaches.size > 0', 'true'],
    ['this.#breaches.size > 0', 'this.#breaches.size >= 0'],
  ),
  ...inFile(
    'src/emulator/journal/journal.ts',
    beyondTheEnd,
    ['place < end', 'place <= end'],
    ['this.#end - 1', 'this.#end + 1'],
    ['place < this.#end', 'place <= this.#end'],
  ),
  ...inFile('src/emulator/journal/journal.ts', 'a ring that has its full size from the start', [
    '2 * before.length',
    '2 / before.length',
  ]),
  ...inFile('src/emulator/journal/kept-headers.ts', 'headers alternate, so each name has a value', [
    "''",
    '"Stryker was here!"',
  ]),
]
