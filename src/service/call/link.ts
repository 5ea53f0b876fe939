/** The target of the link `rel="next"` in a Link header (RFC 8288, section 3), as written; undefined without one. */
export function nextLink(header: string | undefined): string | undefined {
  return linksOf(header ?? '').find(({ rels }) => rels.includes('next'))?.target
}

export function hasLink(header: string | undefined, rel: string): boolean {
  return linksOf(header ?? '').some(({ rels }) => rels.includes(rel))
}

interface Link {
  readonly target: string
  /** In lower case. */
  readonly rels: readonly string[]
}

const parameter = /\s*;\s*([\w!#$&+.^`|~*-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/y

function linksOf(header: string): readonly Link[] {
  const links: Link[] = []
  for (let at = header.indexOf('<'); at >= 0; at = header.indexOf('<', at)) {
    const end = header.indexOf('>', at)
    if (end < 0) return links
    let rels: readonly string[] | undefined
    parameter.lastIndex = end + 1
    let next = end + 1
    for (let found = parameter.exec(header); found !== null; found = parameter.exec(header)) {
      next = parameter.lastIndex
      const [, name = '', quoted, plain = ''] = found
      // Of several rel parameters, the first one holds.
      if (name.toLowerCase() === 'rel') rels ??= (quoted ?? plain).toLowerCase().split(/\s+/)
    }
    links.push({ target: header.slice(at + 1, end), rels: rels ?? [] })
    at = next
  }
  return links
}
