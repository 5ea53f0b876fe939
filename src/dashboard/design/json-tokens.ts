export interface Token {
  /** Its place among the tokens. */
  readonly at: number
  readonly kind: 'name' | 'string' | 'number' | 'word' | 'plain'
  readonly text: string
}

const tokens = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*|[A-Za-z]+|[{}[\],:]|\s+|./gsu

/** Deeper lines are not indented further: a body of nothing but brackets would become millions of spaces. */
const deepestIndent = 40

/** Lays the text of JSON out in lines, so that 64 bits stay exact and a cut body shows. Undefined: it is no JSON. */
export function formatJson(text: string): readonly Token[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  const all = (text.match(tokens) ?? []).filter(token => !/^\s/.test(token))
  const laid: Token[] = []
  let depth = 0
  // Neighbours without a colour become one: each token is an element of the page.
  let plain = ''
  const flush = () => {
    if (plain !== '') laid.push({ at: laid.length, kind: 'plain', text: plain })
    plain = ''
  }
  const put = (text: string, kind: Token['kind'] = 'plain') => {
    if (kind === 'plain') {
      plain += text
      return
    }
    flush()
    laid.push({ at: laid.length, kind, text })
  }
  const line = () => put(`\n${'  '.repeat(Math.min(depth, deepestIndent))}`)
  for (const [index, token] of all.entries()) {
    const next = all[index + 1]
    if (token === '{' || token === '[') {
      put(token)
      const isEmpty = next === '}' || next === ']'
      depth += 1
      if (!isEmpty) line()
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1)
      const before = all[index - 1]
      if (before !== '{' && before !== '[') line()
      put(token)
    } else if (token === ',') {
      put(token)
      line()
    } else if (token === ':') put(': ')
    else put(token, kindOf(token, next))
  }
  flush()
  return laid
}

function kindOf(token: string, next: string | undefined): Token['kind'] {
  if (token.startsWith('"')) return next === ':' ? 'name' : 'string'
  if (/^[-\d]/.test(token)) return 'number'
  return /^(?:true|false|null)$/.test(token) ? 'word' : 'plain'
}
