/** What the clients sent and got. It is plain JSON, so that it can go from process to process. */
export interface Tally {
  /** Calls by kind, sandbox, status and code, written by `rowOf`. */
  readonly rows: Record<string, number>
  readonly created: Record<string, string[]>
  readonly deleted: Record<string, number>
  /** Connections that the clients opened again, because they were idle for long. */
  reopened: number
  readonly surprises: string[]
}

export interface Row {
  readonly kind: number
  readonly sandbox: string
  readonly status: number
  /** Of a 429. */
  readonly code: string
}

export function emptyTally(): Tally {
  return { rows: {}, created: {}, deleted: {}, reopened: 0, surprises: [] }
}

export function rowOf({ kind, sandbox, status, code }: Row): string {
  return `${kind} ${sandbox} ${status} ${code}`
}

export function rowsOf({ rows }: Tally): readonly (Row & { readonly calls: number })[] {
  return Object.entries(rows).map(([text, calls]) => {
    const [kind, sandbox = '', status, code = ''] = text.split(' ')
    return { kind: Number(kind), sandbox, status: Number(status), code, calls }
  })
}

export function merge(tallies: readonly Tally[]): Tally {
  const all = emptyTally()
  for (const { rows, created, deleted, reopened, surprises } of tallies) {
    for (const [row, calls] of Object.entries(rows)) all.rows[row] = (all.rows[row] ?? 0) + calls
    for (const [sandbox, ids] of Object.entries(created))
      all.created[sandbox] = [...(all.created[sandbox] ?? []), ...ids]
    for (const [sandbox, pets] of Object.entries(deleted))
      all.deleted[sandbox] = (all.deleted[sandbox] ?? 0) + pets
    all.reopened += reopened
    all.surprises.push(...surprises)
  }
  return all
}
