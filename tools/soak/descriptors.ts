/** Files, pipes and readers that a server needs beside its connections. */
const others = 150

interface Limits {
  readonly userLimits?: {
    readonly open_files?: { readonly soft: number | string; readonly hard: number | string }
  }
}

/** What to do if this shell allows too few open files for that many connections. Node itself raises the soft limit. */
export function explainLimit(connections: number): string | undefined {
  const limits = (process.report.getReport() as Limits).userLimits?.open_files
  const allowed = Number(limits?.soft)
  const needed = connections + others
  // `unlimited` is no number.
  if (!(allowed < needed)) return undefined
  return `${connections} connections need ${needed} open files in one process, and this shell allows ${allowed}. Allow more with "ulimit -n ${needed}" (as root, if the hard limit is lower), or use --connections ${Math.max(2, allowed - others)}.`
}
