import {
  alwaysInMatch,
  beyondTheEnd,
  cacheBound,
  type Equivalent,
  inFile,
  onlyFaster,
  overwritten,
  rejectedAlike,
} from './equivalent.ts'

const nothingToCopy = 'nothing to copy'

export const inTheEmulator: readonly Equivalent[] = [
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
  ...inFile('src/emulator/metrics/call-counts.ts', onlyFaster, [
    'row.operation !== operation || row.status !== status || row.plan !== plan',
    'true',
  ]),
  ...inFile('src/emulator/gates/answer-operation.ts', onlyFaster, ["operation.id !== 'getPet'", 'true']),
  ...inFile(
    'src/emulator/gates/apply-rules.ts',
    'an answer to Prefer has no fault that could spare anything',
    ['false', 'true'],
  ),
  ...inFile('src/emulator/gates/caller.ts', 'a name in a cache', ["''", '"Stryker was here!"']),
  ...inFile('src/emulator/gates/caller.ts', 'a full cache has a first entry', ["''", '"Stryker was here!"']),
  ...inFile('src/emulator/gates/caller.ts', beyondTheEnd, ['index < one.length', 'index <= one.length']),
  ...inFile('src/emulator/gates/context-reader.ts', 'no host has a space', ['[]', '["Stryker was here"]']),
  ...inFile('src/emulator/gates/context-reader.ts', onlyFaster, ['events === undefined', 'false']),
  ...inFile('src/emulator/gates/forwarded.ts', rejectedAlike, ["''", '"Stryker was here!"']),
  ...inFile('src/emulator/gates/forwarded.ts', 'there is no element yet to go on with', ['false', 'true']),
  ...inFile('src/emulator/gates/forwarded.ts', alwaysInMatch, ["''", '"Stryker was here!"']),
  ...inFile('src/emulator/gates/host-guard.ts', 'nobody asks for names where all may call', [
    '[]',
    '["Stryker was here"]',
  ]),
  ...inFile('src/emulator/metrics/histogram.ts', beyondTheEnd, [
    'index < bounds.length',
    'index <= bounds.length',
  ]),
  ...inFile('src/emulator/replies/cors.ts', 'no origin has a space', ['[]', '["Stryker was here"]']),
  ...inFile('src/emulator/replies/cors.ts', 'a text that is no URL, like the empty one', [
    "''",
    '"Stryker was here!"',
  ]),
  ...inFile(
    'src/emulator/replies/finish-reply.ts',
    nothingToCopy,
    ['answer.headers !== undefined', 'true'],
    ['corsHeaders !== undefined', 'true'],
  ),
  ...inFile('src/emulator/replies/finish-reply.ts', overwritten, ["''", '"Stryker was here!"']),
  ...inFile(
    'src/emulator/replies/finish-reply.ts',
    onlyFaster,
    ['date / 1_000', 'date * 1_000'],
    ['second !== lastSecond', 'true'],
  ),
  ...inFile('src/emulator/rules/candidates.ts', onlyFaster, [
    'this.#last === undefined || !isSame(this.#last, facts)',
    'true',
  ]),
  ...inFile('src/emulator/rules/injected-answer.ts', 'the body is written when the call is known', [
    "''",
    '"Stryker was here!"',
  ]),
  ...inFile('src/emulator/rules/injected-answer.ts', 'the same characters, one at a time', [
    '/[^ -$&-~]+/gu',
    '/[^ -$&-~]/gu',
  ]),
  ...inFile(
    'src/emulator/rules/patterns.ts',
    onlyFaster,
    ['/[{*]/', '/[^{*]/'],
    ["isLiteral && !path.includes('%')", 'false'],
    ["'%'", '""'],
  ),
  ...inFile('src/emulator/rules/patterns.ts', 'as many segments as parts', ["''", '"Stryker was here!"']),
  ...inFile('src/emulator/rules/patterns.ts', 'a text that is split has a first part', [
    "''",
    '"Stryker was here!"',
  ]),
  ...inFile('src/emulator/rules/rule.ts', 'of 2^32 draws one is equal to a probability', [
    'draw(seed, n) < probability',
    'draw(seed, n) <= probability',
  ]),
  ...inFile(
    'src/emulator/worlds/constraints.ts',
    rejectedAlike,
    ["''", '"Stryker was here!"'],
    ['[]', '["Stryker was here"]'],
  ),
  ...inFile(
    'src/emulator/worlds/event-book.ts',
    onlyFaster,
    ['due.length > 0', 'true'],
    ['due.length > 0', 'due.length >= 0'],
  ),
  ...inFile('src/emulator/worlds/expectations.ts', cacheBound, ['rest.length === 0', 'false']),
  ...inFile(
    'src/emulator/worlds/sandboxes.ts',
    'the default world is placed a second time where it stands',
    ['worlds.filter(({ sandbox }) => sandbox !== defaultSandbox)', 'worlds'],
    ['sandbox !== defaultSandbox', 'true'],
  ),
  ...inFile('src/emulator/worlds/timekeeper.ts', 'equal times are neither ahead nor behind', [
    'wall >= before',
    'wall > before',
  ]),
  ...inFile('src/emulator/worlds/timekeeper.ts', 'ten minutes are the same in seconds and in minutes', [
    'ms < 600_000',
    'ms <= 600_000',
  ]),
  ...inFile('src/emulator/worlds/world.ts', 'equal ids stay as they are', [
    'next > world.nextExchange',
    'next >= world.nextExchange',
  ]),
]
