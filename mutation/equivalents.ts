/** A mutant that behaves like the original, or differs only where nobody can see it. It still counts as survived. */
export interface Equivalent {
  readonly file: string
  readonly original: string
  readonly replacement: string
  readonly reason: string
}

/** Original and replacement. */
type Change = readonly [original: string, replacement: string]

function inFile(file: string, reason: string, ...changes: readonly Change[]): readonly Equivalent[] {
  return changes.map(([original, replacement]) => ({ file, original, replacement, reason }))
}

const quickTest = 'a quick test, so that most headers are compared by their length alone'
const onlyFaster = 'without it, the same is only slower'
const overwritten = 'a first value, which each call overwrites before anybody reads it'

export const equivalents: readonly Equivalent[] = [
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
    'src/service/keys/mask-text.ts',
    onlyFaster,
    ['!/[@=:>]/.test(text)', 'false'],
    ["!text.includes('://')", 'false'],
    ["!text.includes('\\\\')", 'false'],
    ["!text.includes('%')", 'false'],
  ),
  ...inFile('src/service/keys/mask.ts', onlyFaster, ['names.length === 0', 'false']),
  ...inFile(
    'src/service/keys/secret-names.ts',
    'a bound of the memory of a cache',
    ['known.size < mostKnown && name.length <= 100', 'true'],
    ['known.size < mostKnown', 'true'],
    ['name.length <= 100', 'true'],
  ),
  ...inFile(
    'src/emulator/emulator.ts',
    onlyFaster,
    ['observers.size === 0', 'false'],
    ['exchange !== undefined', 'true'],
  ),
  ...inFile(
    'src/emulator/gates/apply-rules.ts',
    onlyFaster,
    ['rules.size === 0', 'false'],
    ['preferences === undefined && outcome === undefined', 'false'],
  ),
  ...inFile('src/emulator/gates/apply-rules.ts', 'a rule with a direction has an answer or a fault', [
    'fault !== undefined',
    'true',
  ]),
  ...inFile('src/emulator/gates/caller.ts', onlyFaster, [
    'last !== undefined && isSame(last.headers, headers)',
    'false',
  ]),
  ...inFile('src/emulator/gates/host-guard.ts', onlyFaster, ['host === lastAccepted', 'false']),
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
  ...inFile('src/emulator/metrics/call-counts.ts', onlyFaster, [
    'row.operation !== operation || row.status !== status || row.plan !== plan',
    'true',
  ]),
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
]
