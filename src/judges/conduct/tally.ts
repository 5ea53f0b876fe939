import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { ShowText } from '../inspection/conceal.ts'
import { type Evidence, type Finding, sortFindings } from '../report/finding.ts'
import { type ConductId, conductChecks } from './checks.ts'
import { evidenceOf, type Note } from './observed-call.ts'

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

  readonly note: Note = ({ id, exchange, detail, group, size = 0 }) => {
    const entry: Entry = this.#entries.get(id) ?? { count: 0, most: 0, rows: new Map() }
    const { rows } = entry
    this.#entries.set(id, entry)
    entry.count += 1
    entry.most = Math.max(entry.most, size)
    const key = group ?? rows.size
    const same = rows.get(key)
    if (same !== undefined) same.count += 1
    else if (rows.size < mostRows)
      rows.set(key, { evidence: evidenceOf(exchange, this.#textOf(exchange)), detail, count: 1 })
  }

  findings(): readonly Finding[] {
    return sortFindings(Array.from(this.#entries, ([id, entry]) => findingOf(id, entry)))
  }
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
