/** One thing that must hold. */
export interface Check {
  readonly what: string
  readonly found: string
  readonly holds: boolean
}

const digits = new Intl.NumberFormat('en')

/** A count of the clients, and the same count of the server. */
export function equal(what: string, sent: number, told: number | undefined): Check {
  const holds = sent === told
  const found = holds ? digits.format(sent) : `${digits.format(sent)} sent, ${told ?? 'none'} counted`
  return { what, found, holds }
}

/** Many counts at once. It shows the first that differ. */
export function allEqual(
  what: string,
  sent: ReadonlyMap<string, number>,
  told: ReadonlyMap<string, number>,
): Check {
  const names = [...new Set([...sent.keys(), ...told.keys()])]
  const different = names.filter(name => (sent.get(name) ?? 0) !== (told.get(name) ?? 0))
  const shown = different
    .slice(0, 3)
    .map(name => `${name}: ${sent.get(name) ?? 0} sent, ${told.get(name) ?? 0} counted`)
  const sum = [...sent.values()].reduce((all, count) => all + count, 0)
  const found = different.length === 0 ? `${digits.format(sum)} in ${names.length} rows` : shown.join('; ')
  return { what, found, holds: different.length === 0 }
}
