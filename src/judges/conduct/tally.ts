import { countIn } from '../../base/count-in.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Expectation } from '../../emulator/worlds/expectations.ts'
import { type Evidence, type Finding, type Severity, severities, sortFindings } from '../report/finding.ts'
import { type ConductId, conductChecks, waitIds } from './checks.ts'
import { type ConductContext, evidenceOf, type HeldRemark, type Note, type Remark } from './observed-call.ts'

interface Row {
  evidence: Evidence
  readonly detail: (count: number) => string
  count: number
}

interface Entry {
  readonly id: ConductId
  readonly isExpected: boolean
  severity: Severity
  count: number
  most: number
  readonly instances: Set<number>
  /** By group; a row without a group has its number. */
  readonly rows: Map<string | number, Row>
}

/** Further calls of a finding are only counted. */
const mostRows = 20

type Noted = Omit<HeldRemark, 'evidence'>

export type Tally = ReturnType<typeof createTally>

/** Groups remarks into findings: expected ones apart from the others. Its memory is bounded. */
export function createTally(context: Pick<ConductContext, 'textOf' | 'expectationOf' | 'wanted'>) {
  const { textOf, expectationOf, wanted } = context
  const noted = new Map<string, Entry>()
  const came = new Map<Expectation, number>()
  const doubted = new Set<Expectation>()
  const shown = (exchange: Exchange) => evidenceOf(exchange, textOf(exchange))
  const add = (
    entries: Map<string, Entry>,
    { id, detail, group, size = 0, severity = conductChecks[id].severity, expectation }: Noted,
    { request, instance }: { readonly request?: number | undefined; readonly instance?: number | undefined },
    evidence: () => Evidence,
  ): void => {
    const isExpected = expectation !== undefined
    const name = isExpected ? `${id} expected` : id
    const start = { id, isExpected, severity, count: 0, most: 0 }
    const entry: Entry = entries.get(name) ?? { ...start, instances: new Set(), rows: new Map() }
    const { rows } = entry
    entries.set(name, entry)
    entry.count += 1
    if (severities.indexOf(severity) < severities.indexOf(entry.severity)) entry.severity = severity
    entry.most = Math.max(entry.most, size)
    // The ban of a key is the deed of all instances.
    if (instance !== undefined && id !== 'banned') entry.instances.add(instance)
    const key = group ?? rows.size
    const same = rows.get(key)
    const isWanted = request !== undefined && request === wanted
    if (same !== undefined) {
      same.count += 1
      if (isWanted) same.evidence = evidence()
    } else if (isWanted || rows.size < mostRows) rows.set(key, { evidence: evidence(), detail, count: 1 })
  }
  const note: Note = remark => {
    const { exchange, id } = remark
    const expectation = expectationOf?.(exchange, id)
    const source = { request: exchange.id, instance: exchange.call.connection?.instance }
    add(noted, { ...remark, expectation }, source, () => shown(exchange))
    if (expectation !== undefined) countIn(came, expectation)
  }
  return {
    note,
    hold: ({ exchange, ...rest }: Remark): HeldRemark => ({
      ...rest,
      expectation: expectationOf?.(exchange, rest.id),
      evidence: shown(exchange),
    }),
    noteHeld: (held: HeldRemark): void => {
      add(noted, held, held.evidence, () => held.evidence)
      if (held.expectation !== undefined) countIn(came, held.expectation)
    },
    /** Expected findings that may have come in a call that could not be judged. */
    doubted,
    /** Takes note of a call that the checks of waits cannot judge. */
    doubt: (exchange: Exchange): void => {
      for (const id of waitIds) {
        const expectation = expectationOf?.(exchange, id)
        if (expectation !== undefined) doubted.add(expectation)
      }
    },
    /** How often expected findings came. `open`: remarks that are not noted yet. */
    came: (open: readonly HeldRemark[]): ReadonlyMap<Expectation, number> => {
      const all = new Map(came)
      for (const { expectation } of open) if (expectation !== undefined) countIn(all, expectation)
      return all
    },
    /** `open`: remarks that are not noted yet. */
    findings: (open: readonly HeldRemark[]): readonly Finding[] => {
      const copyOf = ({ instances, rows, ...entry }: Entry): Entry => ({
        ...entry,
        instances: new Set(instances),
        rows: new Map(Array.from(rows, ([key, row]) => [key, { ...row }])),
      })
      const all = new Map(Array.from(noted, ([name, entry]) => [name, copyOf(entry)]))
      for (const remark of open) add(all, remark, remark.evidence, () => remark.evidence)
      return sortFindings(Array.from(all.values(), findingOf))
    },
  }
}

function findingOf({ id, isExpected, severity, count, most, instances, rows }: Entry): Finding {
  const { title, remedy, source } = conductChecks[id]
  const evidence = Array.from(rows.values(), row => ({
    ...row.evidence,
    detail: row.detail(row.count),
    ...(row.count > 1 && { count: row.count }),
  }))
  const numbers = [...instances].toSorted((one, other) => one - other)
  const finding = { id, severity, title: title(count, most), remedy, source, count, evidence }
  return {
    ...finding,
    ...(numbers.length > 0 && { instances: numbers }),
    ...(isExpected && { expected: true }),
  }
}
