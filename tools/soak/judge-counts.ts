import { type LogCounts, type SandboxCounts, type ServerCounts, sumOf } from './server-counts.ts'
import { type Row, rowsOf, type Tally } from './tally.ts'
import { brokenKind, firstPets, kinds, sandboxes } from './traffic.ts'

type CountedRow = Row & { readonly calls: number }

const plans: Readonly<Record<string, string>> = {
  soak: 'unlimited',
  'soak-broken': 'unlimited',
  'soak-free': 'free',
  'soak-pro': 'pro',
}

/** Compares what the clients sent with every count of the server. */
export function judgeCounts(
  tally: Tally,
  counted: ServerCounts,
  log: LogCounts,
  calls: number,
): readonly Check[] {
  const rows = rowsOf(tally)
  const sum = (filter: (row: CountedRow) => boolean) =>
    rows.filter(filter).reduce((all, row) => all + row.calls, 0)
  const sent = sum(() => true)
  const { metrics } = counted
  const limited = sum(({ code }) => code === 'rate_limit_exceeded')
  const banned = sum(({ code }) => code === 'api_key_banned')
  const broken = sum(({ kind }) => kind === brokenKind)
  const bans = sumOf(metrics, 'pet_mock_bans_total')
  return [
    equal('answered calls', calls, sent),
    { what: 'surprises', found: tally.surprises[0] ?? 'none', holds: tally.surprises.length === 0 },
    judgeVariety(rows),
    allEqual('metrics: operation, status, plan', byOperation(rows), callsIn(metrics)),
    equal('metrics: durations', sent, metrics.get('pet_mock_call_duration_seconds_count')),
    equal('metrics: over the limit', limited, sumOf(metrics, 'pet_mock_limit_refusals_total') - bans),
    equal('metrics: bans, banned calls', banned, bans + sumOf(metrics, 'pet_mock_banned_calls_total')),
    equal(
      'metrics: hits of rules',
      broken + sum(({ status }) => status === 503),
      sumOf(metrics, 'pet_mock_rule_hits_total'),
    ),
    allEqual('quota used, by sandbox and key', usedIn(rows), usedCounted(counted.sandboxes)),
    allEqual(
      'journal, by sandbox',
      bySandbox(rows),
      countsBySandbox(counted, ({ requests }) => requests),
    ),
    allEqual(
      'pets, by sandbox',
      petsIn(tally),
      countsBySandbox(counted, ({ pets }) => pets),
    ),
    judgeIds(tally),
    equal('lines of the log', sent, log.calls + log.dropped),
    equal('breaches of the contract', broken, log.contract),
  ]
}

/** Two counts of what never happened are equal: each kind of call was made, and rules injected errors. */
function judgeVariety(rows: readonly CountedRow[]): Check {
  const never = kinds.filter((_, kind) => !rows.some(row => row.kind === kind)).map(({ name }) => name)
  if (!rows.some(({ status }) => status === 503)) never.push('an injected 503')
  const found = never.length === 0 ? `all ${kinds.length}` : `never: ${never.join(', ')}`
  return { what: 'kinds of calls', found, holds: never.length === 0 }
}

/** After a restart from the state file: quotas and pets. */
export function judgeRestart(tally: Tally, counted: ServerCounts): readonly Check[] {
  return [
    allEqual('after a restart: quota used', usedIn(rowsOf(tally)), usedCounted(counted.sandboxes)),
    allEqual(
      'after a restart: pets',
      petsIn(tally),
      countsBySandbox(counted, ({ pets }) => pets),
    ),
  ]
}

/** Each reader of events must know the newest request of each sandbox. */
export function judgeEvents(
  tally: Tally,
  readers: readonly { readonly newest: Readonly<Record<string, number>> }[],
): Check {
  const sent = bySandbox(rowsOf(tally))
  const behind = readers.filter(({ newest }) =>
    [...sent].some(([sandbox, calls]) => newest[sandbox] !== calls),
  )
  const found = behind.length === 0 ? `${readers.length} readers` : `${behind.length} readers missed some`
  return { what: 'events: newest requests', found, holds: readers.length > 0 && behind.length === 0 }
}

function judgeIds({ created }: Tally): Check {
  const wrong = Object.entries(created).filter(([, ids]) => {
    const sorted = ids.map(Number).sort((a, b) => a - b)
    return sorted.some((id, index) => id !== firstPets + 1 + index)
  })
  const found =
    wrong.length === 0 ? 'each once, no gap' : `wrong in ${wrong.map(([sandbox]) => sandbox).join(', ')}`
  return { what: 'ids of created pets', found, holds: wrong.length === 0 }
}

function byOperation(rows: readonly CountedRow[]): ReadonlyMap<string, number> {
  return countBy(rows, ({ kind, status }) => {
    const { operation = '', key } = kinds[kind] ?? {}
    return `operation="${operation}",status="${status}",plan="${key === undefined ? 'none' : plans[key]}"`
  })
}

function callsIn(metrics: ServerCounts['metrics']): ReadonlyMap<string, number> {
  const found = [...metrics].flatMap(([sample, value]) => {
    const labels = /^pet_mock_calls_total\{(.*)\}$/.exec(sample)?.[1]
    return labels === undefined ? [] : [[labels, value] as const]
  })
  return new Map(found)
}

/** Accepted calls count, whatever their answer (A03); refused ones do not (A07). */
function usedIn(rows: readonly CountedRow[]): ReadonlyMap<string, number> {
  const counted = rows.filter(({ kind, status }) => kinds[kind]?.key !== undefined && status !== 429)
  return countBy(counted, ({ kind, sandbox }) => `${sandbox} ${kinds[kind]?.key}`)
}

function usedCounted(counted: readonly SandboxCounts[]): ReadonlyMap<string, number> {
  const found = counted.flatMap(({ sandbox, used }) =>
    Object.entries(used).map(([key, calls]) => [`${sandbox} ${key}`, calls] as const),
  )
  return new Map(found.filter(([, calls]) => calls > 0))
}

function bySandbox(rows: readonly CountedRow[]): ReadonlyMap<string, number> {
  return countBy(rows, ({ sandbox }) => sandbox)
}

function petsIn({ created, deleted }: Tally): ReadonlyMap<string, number> {
  return new Map(
    sandboxes.map(name => [name, firstPets + (created[name]?.length ?? 0) - (deleted[name] ?? 0)]),
  )
}

function countsBySandbox(
  counted: ServerCounts,
  read: (one: SandboxCounts) => number,
): ReadonlyMap<string, number> {
  return new Map(counted.sandboxes.map(one => [one.sandbox, read(one)]))
}

function countBy(rows: readonly CountedRow[], name: (row: CountedRow) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(name(row), (counts.get(name(row)) ?? 0) + row.calls)
  return counts
}

export interface Check {
  readonly what: string
  readonly found: string
  readonly holds: boolean
}

const digits = new Intl.NumberFormat('en')

/** A count of the clients, and the same count of the server. */
function equal(what: string, sent: number, counted: number | undefined): Check {
  const holds = sent === counted
  const found = holds ? digits.format(sent) : `${digits.format(sent)} sent, ${counted ?? 'none'} counted`
  return { what, found, holds }
}

/** Many counts at once. It shows the first that differ. */
function allEqual(
  what: string,
  sent: ReadonlyMap<string, number>,
  counted: ReadonlyMap<string, number>,
): Check {
  const names = [...new Set([...sent.keys(), ...counted.keys()])]
  const different = names.filter(name => (sent.get(name) ?? 0) !== (counted.get(name) ?? 0))
  const shown = different
    .slice(0, 3)
    .map(name => `${name}: ${sent.get(name) ?? 0} sent, ${counted.get(name) ?? 0} counted`)
  const sum = [...sent.values()].reduce((all, count) => all + count, 0)
  const found = different.length === 0 ? `${digits.format(sum)} in ${names.length} rows` : shown.join('; ')
  return { what, found, holds: different.length === 0 }
}
