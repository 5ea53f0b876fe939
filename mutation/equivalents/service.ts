import {
  beyondTheEnd,
  cacheBound,
  type Equivalent,
  inFile,
  onlyFaster,
  overwritten,
  rejectedAlike,
} from './equivalent.ts'

const firstGuess = 'only a first guess: the search finds the same from another one'
const forReaders = 'a text for the documentation, or of a failure that no input causes'
const noChunk = 'no chunk, so no pet'
const noLink = 'no link, or a relation that nobody asks for'
const otherChunks = 'the same pets, in other chunks'
const quickTest = 'a quick test, so that most headers are compared by their length alone'

export const inTheService: readonly Equivalent[] = [
  ...inFile('src/service/call/prefer.ts', quickTest, ['candidate?.length !== name.length', 'false']),
  ...inFile(
    'src/service/call/headers.ts',
    quickTest,
    ['candidate.length !== name.length', 'false'],
    ['candidate !== name', 'true'],
  ),
  ...inFile('src/service/call/target.ts', 'no target in absolute form begins with a slash', [
    "!target.startsWith('/')",
    'true',
  ]),
  ...inFile(
    'src/service/call/break-body.ts',
    'an empty body has no last character, so it stays as it is',
    ["body !== ''", 'true'],
    ["''", '"Stryker was here!"'],
  ),
  ...inFile(
    'src/service/call/fault.ts',
    forReaders,
    ["'How many bytes of the body arrive.'", '""'],
    ["'How long the connection stays open, up to 10m.'", '""'],
    ["'The pace of the body.'", '""'],
    ["'The bytes of one piece.'", '""'],
    ["'The pause between two pieces, up to 10m.'", '""'],
    ["'How much later the connection closes, up to 10m.'", '""'],
  ),
  ...inFile('src/service/call/headers.ts', beyondTheEnd, [
    'index < headers.length',
    'index <= headers.length',
  ]),
  ...inFile(
    'src/service/call/link.ts',
    noLink,
    ["''", '"Stryker was here!"'],
    ['/\\s+/', '/\\s/'],
    ['[]', '["Stryker was here"]'],
  ),
  ...inFile('src/service/call/link.ts', 'a link that begins has no end at the first character', [
    'end < 0',
    'end <= 0',
  ]),
  ...inFile(
    'src/service/call/prefer.ts',
    rejectedAlike,
    ["''", '"Stryker was here!"'],
    ['[]', '["Stryker was here"]'],
  ),
  ...inFile('src/service/call/prefer.ts', 'a quoted word begins and ends with its quotes', [
    "word.startsWith('\"')",
    "word.endsWith('\"')",
  ]),
  ...inFile('src/service/call/prefer.ts', beyondTheEnd, [
    'index < headers.length',
    'index <= headers.length',
  ]),
  ...inFile('src/service/call/target.ts', onlyFaster, ["!path.includes('%')", 'false'], ["'%'", '""']),
  ...inFile('src/service/deprecation/deprecation.ts', 'the table of operations has the dates that it needs', [
    "''",
    '"Stryker was here!"',
  ]),
  ...inFile('src/service/limits/limiter.ts', 'without other clients, the calls are the own ones', [
    'othersPerMinute === undefined',
    'false',
  ]),
  ...inFile('src/service/operations/operations.ts', forReaders, ['`There is no operation ${id}`', '``']),
  ...inFile('src/service/operations/routes.ts', 'nobody reads the parameter of a route without one', [
    "''",
    '"Stryker was here!"',
  ]),
  ...inFile('src/service/operations/routes.ts', onlyFaster, ["'%'", '""']),
  ...inFile('src/service/operations/routes.ts', 'a path that cannot be decoded is none of the API', [
    '[]',
    '["Stryker was here"]',
  ]),
  ...inFile('src/service/pets/chunks.ts', onlyFaster, ['false', 'true'], ['!this.#isShared', 'false']),
  ...inFile('src/service/pets/chunks.ts', forReaders, ['`there is no chunk ${number}`', '``']),
  ...inFile('src/service/pets/kept-answers.ts', overwritten, ["''", '"Stryker was here!"']),
  ...inFile('src/service/pets/kept-answers.ts', cacheBound, [
    'petId.length > longestKept',
    'petId.length >= longestKept',
  ]),
  ...inFile(
    'src/service/pets/list-pets.ts',
    onlyFaster,
    ['page.base !== base', 'true'],
    ['revision === undefined', 'false'],
  ),
  ...inFile('src/service/pets/new-pet.ts', 'no bigint is a finite number', [
    "typeof value === 'number'",
    'true',
  ]),
  ...inFile(
    'src/service/pets/row.ts',
    otherChunks,
    ['distance > distanceAt(last, countOf(last) - 1)', 'false'],
    ['countOf(last) - 1', 'countOf(last) + 1'],
    ['last === undefined || countOf(last) >= fullChunk', 'true'],
    ['countOf(last) >= fullChunk', 'false'],
    ['countOf(last) >= fullChunk', 'countOf(last) > fullChunk'],
    ['countOf(last) >= fullChunk', 'countOf(last) < fullChunk'],
    ['countOf(list) <= fullChunk', 'true'],
    ['countOf(list) <= fullChunk', 'false'],
    ['countOf(list) <= fullChunk', 'countOf(list) < fullChunk'],
    ['countOf(list) <= fullChunk', 'countOf(list) > fullChunk'],
    ['Math.floor(countOf(list) / 2) * slotsOfPet', 'Math.floor(countOf(list) / 2) / slotsOfPet'],
  ),
  ...inFile(
    'src/service/pets/row.ts',
    beyondTheEnd,
    ['number < lists.length', 'number <= lists.length'],
    ['[]', '["Stryker was here"]'],
  ),
  ...inFile('src/service/pets/row.ts', noChunk, ['[]', '["Stryker was here"]']),
  ...inFile(
    'src/service/pets/row.ts',
    'without a pet below, the distance is no number, and the pet above is taken',
    ['before === undefined', 'false'],
  ),
  ...inFile('src/service/pets/row.ts', onlyFaster, [
    'this.#chunks.lists.filter(list => !shared.has(list))',
    'this.#chunks.lists',
  ]),
  ...inFile('src/service/pets/row.ts', firstGuess, ['-1', '+1']),
  ...inFile(
    'src/service/pets/search.ts',
    firstGuess,
    ['value <= first', 'value < first'],
    ['count < 2', 'false'],
    ['value >= last', 'value > last'],
  ),
  ...inFile('src/service/pets/store.ts', onlyFaster, ['before.status !== pet.status', 'true']),
  ...inFile('src/service/pets/store.ts', 'a number that only has to differ from the last one', [
    'this.#rewrites += 1',
    'this.#rewrites -= 1',
  ]),
]
