import { decodePercent } from '../../base/percent.ts'
import { createSecrets, type Secrets } from './mask.ts'

export interface TextMask {
  readonly isSecret: Secrets['isSecret']
  /** Whether a value is secret under any name, as a known key is. */
  readonly isKnown: (value: string) => boolean
  readonly mask: (secret: string) => string
}

/**
 * Masks the secrets that a text shows by their place: values of secret names in queries, forms, JSON at any depth, XML and
 * multipart bodies, and the user in a URL. The text need not be whole or valid.
 */
export function maskText(text: string, mask: TextMask): string {
  if (!/[@=:>]/.test(text)) return text
  return notations.reduce((shown, notation) => maskNotation(shown, notation, mask), maskUsers(text, mask))
}

/** Masks a text that belongs to no call, such as a complaint. */
export function maskFreeText(text: string, secrets: Secrets = createSecrets()): string {
  const shown = text.replace(
    credentials,
    (_, scheme: string, secret: string) => scheme + secrets.mask(secret),
  )
  return maskText(shown, { ...secrets, isKnown: () => false })
}

/** A key in the words of a command, such as the argument of `curl -H`. Words without a digit may be a sentence. */
const credentials = /\b((?:bearer|basic) +)(?=[\w.~+/-]*\d)([\w.~+/-]{8,}=*)/gi

/** Many services take a key in the parameter `key`. In JSON, that name has other uses. */
export function isSecretParameter(name: string, value: string, mask: Pick<TextMask, 'isSecret'>): boolean {
  return mask.isSecret(name) || /^key$/i.test(name) || (/^code$/i.test(name) && randomText.test(value))
}

/** A code of OAuth. Statuses and codes of errors are none. */
const randomText = /^(?=.*\d)[\w.~+/%-]{8,}$/

/** `https://user:password@host`. Either part may be a token. */
function maskUsers(text: string, { mask }: TextMask): string {
  if (!text.includes('://')) return text
  return text.replace(/(?<=:\/\/)[^/\s@?#"'<>\\]+(?=@)/g, user => mask(decode(user)))
}

/** How a text writes a name before its value. The first group is the name. */
interface Notation {
  readonly name: RegExp
  readonly value: (text: string, at: number, isSecretName: boolean, mask: TextMask) => Found | undefined
}

/** Where a value ends, and what to show instead; undefined: as it is. */
interface Found {
  readonly end: number
  readonly shown: string | undefined
}

const notations: readonly Notation[] = [
  // `"name": value`. Quotes may be escaped, for JSON within a JSON text.
  {
    name: /(?<![\p{L}\p{N}])\\{0,4}"((?:[^"\\]|\\u[0-9a-fA-F]{4}){1,100})\\{0,4}"\s*:\s*/gu,
    value: (text, at, isSecretName, mask) => (isSecretName ? maskJson(text, at, mask) : undefined),
  },
  // `'name': 'value'`, in a JavaScript object or a Python dict.
  {
    name: /(?<![\p{L}\p{N}])'([^'\\\r\n]{1,100})'\s{0,10}:\s{0,10}(?=')/gu,
    value: (text, at, isSecretName, { mask }) => {
      const sent = matchAt(/'(?:[^'\\]|\\.)*(?:'|$)/sy, text, at)
      const isWhole = sent.length > 1 && sent.endsWith("'")
      const value = sent.slice(1, isWhole ? -1 : undefined)
      if (!isSecretName || value === '') return undefined
      return { end: at + sent.length, shown: `'${mask(value)}${isWhole ? "'" : ''}` }
    },
  },
  // `name=value`, in a query, a form or a sentence.
  {
    name: /(?<=^|[?&;#,\s"'({[\\])([\w.~%[\]$-]{1,100})=/g,
    value: (text, at, isSecretName, mask) => {
      const sent = matchAt(/"[^"]*"|'[^']*'|[^&\s"'<>#\\]*/y, text, at)
      const quote = /^["']/.exec(sent)?.[0] ?? ''
      const value = decode(quote === '' ? sent : sent.slice(1, -1))
      if (value === '' || !(isSecretName || mask.isKnown(value))) return undefined
      return { end: at + sent.length, shown: quote + mask.mask(value) + quote }
    },
  },
  // A part of a multipart form.
  {
    name: /\bname="([^"\r\n]{1,100})"[^\r\n]{0,200}\r?\n(?:[^\r\n]+\r?\n){0,5}\r?\n/g,
    value: (text, at, isSecretName, { mask }) => {
      const next = text.indexOf('\n--', at)
      const value = text.slice(at, next === -1 ? text.length : next).replace(/\r$/, '')
      return isSecretName ? { end: at + value.length, shown: mask(value) } : undefined
    },
  },
  // `<name>value</name>`
  {
    name: /<(?:[\w-]{1,100}:)?([\w.-]{1,100})(?:\s[^<>]*)?>/g,
    value: (text, at, isSecretName, { mask }) => {
      const open = matchAt(/\s*<!\[CDATA\[/y, text, at)
      const from = at + open.length
      const value = matchAt(open === '' ? /[^<]+(?=<\/)/y : /(?:(?!\]\]>)[\s\S])+/y, text, from)
      if (!isSecretName || value === '') return undefined
      return { end: from + value.length, shown: open + mask(value) }
    },
  },
]

function maskNotation(text: string, { name, value }: Notation, mask: TextMask): string {
  const names = new RegExp(name)
  let shown = ''
  let end = 0
  for (let found = names.exec(text); found !== null; found = names.exec(text)) {
    const at = names.lastIndex
    const word = decode(unescapeJson(found[1] ?? ''))
    const isSecretName = found[0].endsWith('=')
      ? isSecretParameter(word, matchAt(/[\w.~+/%-]*/y, text, at), mask)
      : mask.isSecret(word)
    const masked = value(text, at, isSecretName, mask)
    if (masked === undefined) continue
    shown += text.slice(end, at) + (masked.shown ?? text.slice(at, masked.end))
    end = masked.end
    names.lastIndex = end
  }
  return end === 0 ? text : shown + text.slice(end)
}

/** Masks a JSON value: a text, a number, or each of them in an object or a list. */
function maskJson(text: string, from: number, { mask }: TextMask): Found {
  const tokens = /(\\*")(?:\\.|[^\\])*?(?:\1|$)|[^\s"{}[\],:\\]+|[{}[\],:]|\s+|\\+/gsy
  tokens.lastIndex = from
  let shown = ''
  let depth = 0
  let end = from
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const [token, quote] = found
    if (depth === 0 && /^[\]},:]$/.test(token)) break
    end = tokens.lastIndex
    if (/^[{[]$/.test(token)) depth += 1
    else if (/^[\]}]$/.test(token)) depth -= 1
    const isName = depth > 0 && quote !== undefined && /^\s*:/.test(text.slice(end, end + 100))
    shown += isName ? token : maskScalar(token, quote, mask)
    if (depth === 0 && token.trim() !== '') break
  }
  return { end, shown }
}

function maskScalar(token: string, quote: string | undefined, mask: TextMask['mask']): string {
  if (quote === undefined) return /^-?\d/.test(token) ? JSON.stringify(mask(token)) : token
  const isWhole = token.length > quote.length && token.endsWith(quote)
  const text = token.slice(quote.length, isWhole ? -quote.length : undefined)
  const masked = JSON.stringify(mask(quote === '"' ? unescapeJson(text) : text)).slice(1, -1)
  return quote + masked + (isWhole ? quote : '')
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

function unescapeJson(text: string): string {
  if (!text.includes('\\')) return text
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}

/** Percent-decodes a text, unless it is malformed. */
export function decode(text: string): string {
  return text.includes('%') ? (decodePercent(text) ?? text) : text
}
