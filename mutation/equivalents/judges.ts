import { type Equivalent, inFile, onlyFaster } from './equivalent.ts'

export const inTheJudges: readonly Equivalent[] = [
  ...inFile(
    'src/judges/check/parts/create-pet.ts',
    'every kind but plain is handled alike, and the types allow no other name for it',
    ["'odd'", '""'],
  ),
  ...inFile('src/judges/check/parts/create-pet.ts', 'the index is always that of a name', ["'Rex'", '""']),
  ...inFile(
    'src/judges/conduct/judge-backoff.ts',
    'a run that starts again has no gaps, so it has no trend',
    ['false', 'true'],
  ),
  ...inFile(
    'src/judges/conduct/observed-call.ts',
    'another hash as good as this one: no length of a part is a code unit in either',
    ['0x1_0000 + length', '0x1_0000 - length'],
  ),
  ...inFile('src/judges/contract/contract-verdict.ts', 'a text that is split has a first part', [
    "''",
    '"Stryker was here!"',
  ]),
  ...inFile('src/judges/contract/judge.ts', 'nobody reads the id of this operation', ["'anyError'", '""']),
  ...inFile('src/judges/contract/prism/expansion.ts', onlyFaster, ['count <= most', 'true']),
  ...inFile(
    'src/judges/contract/prism/for-prism.ts',
    'items of a list have no name, and only that of a keyword counts',
    ["''", '"Stryker was here!"'],
  ),
  ...inFile('src/judges/inspection/har.ts', 'headers alternate, so each name has a value', [
    "''",
    '"Stryker was here!"',
  ]),
  ...inFile('src/judges/replay/read-archive.ts', 'what is absent counts as false', [
    '{ isArchive: false, isWhole: false }',
    '{}',
  ]),
  ...inFile('src/judges/replay/replay-caller.ts', 'a cache that keeps nothing for any time holds nothing', [
    'change.cacheMs === undefined',
    'false',
  ]),
  ...inFile('src/judges/report/flight-axis.ts', 'an axis of calls has more than four', [
    'calls[0]?.at',
    'calls[0].at',
  ]),
  ...inFile(
    'src/judges/replay/replay-caller.ts',
    'the refusal of a limit reports the last window that is full, and its key is not banned',
    ["code !== 'api_key_banned'", 'false'],
  ),
]
