import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { ShowText } from '../inspection/conceal.ts'
import { type Evidence, type Finding, sortFindings } from '../report/finding.ts'
import { type ConductId, conductChecks } from './checks.ts'
import { evidenceOf, type Note, type Remark } from './observed-call.ts'

interface Row {
  readonly evidence: Evidence
  readonly detail: (count: number) => string
  count: number
}

interface Entry {
  count: number
  most: number
  readonly rows: Row[]
  readonly groups: Map<string, Row>
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

  readonly note: Note = ({ id, exchange, detail, group, size = 0 }: Remark) => {
    const entry: Entry = this.#entries.get(id) ?? { count: 0, most: 0, rows: [], groups: new Map() }
    this.#entries.set(id, entry)
    entry.count += 1
    entry.most = Math.max(entry.most, size)
    const same = group === undefined ? undefined : entry.groups.get(group)
    if (same !== undefined) same.count += 1
    else if (entry.rows.length < mostRows) {
      const row = { evidence: evidenceOf(exchange, '', this.#textOf(exchange)), detail, count: 1 }
      entry.rows.push(row)
      if (group !== undefined) entry.groups.set(group, row)
    }
  }

  findings(): readonly Finding[] {
    return sortFindings(Array.from(this.#entries, ([id, entry]) => findingOf(id, entry)))
  }
}

function findingOf(id: ConductId, { count, most, rows }: Entry): Finding {
  const { severity, title, remedy, source } = conductChecks[id]
  const evidence = rows.map(({ evidence, detail, count }) => ({
    ...evidence,
    detail: detail(count),
    ...(count > 1 && { count }),
  }))
  return { id, severity, title: title(count, most), remedy, source, count, evidence }
}
