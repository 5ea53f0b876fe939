import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { ShowText } from '../inspection/conceal.ts'
import { type Evidence, type Finding, sortFindings } from '../report/finding.ts'
import { type ConductId, conductChecks } from './checks.ts'
import { evidenceOf, type HeldRemark, type Note, type Remark } from './observed-call.ts'

interface Row {
  readonly evidence: Evidence
  /** Replaces the detail of the evidence. */
  readonly detail: (count: number) => string
  count: number
}

interface Entry {
  count: number
  most: number
  /** By group; a row without a group has its number. */
  readonly rows: Map<string | number, Row>
}

/** Further calls of a finding are only counted. */
const mostRows = 20

/** Groups remarks into findings. Its memory is bounded. */
export class Tally {
  readonly #entries = new Map<ConductId, Entry>()
  readonly #textOf: (exchange: Exchange) => ShowText

  constructor(textOf: (exchange: Exchange) => ShowText) {
    this.#textOf = textOf
  }

  readonly note: Note = remark => this.#add(this.#entries, remark, () => this.#evidenceOf(remark))

  /** Makes a remark that can be kept. */
  readonly hold = (remark: Remark): HeldRemark => {
    const { exchange: _, ...rest } = remark
    return { ...rest, evidence: this.#evidenceOf(remark) }
  }

  readonly noteHeld = (held: HeldRemark): void => this.#add(this.#entries, held, () => held.evidence)

  #evidenceOf({ exchange }: Remark): Evidence {
    return evidenceOf(exchange, this.#textOf(exchange))
  }

  #add(
    entries: Map<ConductId, Entry>,
    { id, detail, group, size = 0 }: Omit<Remark, 'exchange'>,
    evidence: () => Evidence,
  ): void {
    const entry: Entry = entries.get(id) ?? { count: 0, most: 0, rows: new Map() }
    const { rows } = entry
    entries.set(id, entry)
    entry.count += 1
    entry.most = Math.max(entry.most, size)
    const key = group ?? rows.size
    const same = rows.get(key)
    if (same !== undefined) same.count += 1
    else if (rows.size < mostRows) rows.set(key, { evidence: evidence(), detail, count: 1 })
  }

  /** `open`: remarks that are not noted yet. */
  findings(open: readonly HeldRemark[] = []): readonly Finding[] {
    const entries = new Map(
      Array.from(
        this.#entries,
        ([id, { rows, ...entry }]) => [id, { ...entry, rows: copyOf(rows) }] as const,
      ),
    )
    for (const remark of open) this.#add(entries, remark, () => remark.evidence)
    return sortFindings(Array.from(entries, ([id, entry]) => findingOf(id, entry)))
  }
}

function copyOf(rows: Entry['rows']): Entry['rows'] {
  return new Map(Array.from(rows, ([key, row]) => [key, { ...row }] as const))
}

function findingOf(id: ConductId, { count, most, rows }: Entry): Finding {
  const { severity, title, remedy, source } = conductChecks[id]
  const evidence = Array.from(rows.values(), row => ({
    ...row.evidence,
    detail: row.detail(row.count),
    ...(row.count > 1 && { count: row.count }),
  }))
  return { id, severity, title: title(count, most), remedy, source, count, evidence }
}
