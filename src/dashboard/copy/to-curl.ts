import { type CallToCopy, hasType, variableIn } from './call.ts'

export function toCurl(call: CallToCopy): string {
  const { origin, method, target, headers, authorization, body, cutFrom } = call
  const usualMethod = body === null ? 'GET' : 'POST'
  const isPath = target.startsWith('/')
  const parts = [
    `curl --globoff --path-as-is ${quote(origin + (isPath ? target : '/'))}`,
    ...(isPath ? [] : [`--request-target ${quote(target)}`]),
    ...(method === 'HEAD' ? ['--head'] : method === usualMethod ? [] : [`--request ${quote(method)}`]),
    ...(authorization === undefined ? [] : [`--header ${quoteKey(authorization)}`]),
    // curl sends an empty header only with a semicolon.
    ...headers.map(([name, value]) => `--header ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    // curl would send one of its own.
    ...(body !== null && !hasType(call) ? ["--header 'Content-Type:'"] : []),
    // Unlike --data, this does not read a file whose name follows an @.
    ...(body === null ? [] : [`--data-raw ${quote(body)}`]),
  ]
  const note = cutFrom === null ? '' : `# The body is cut: it had ${cutFrom} bytes.\n`
  return `${note}${parts.join(' \\\n  ')}`
}

/** A word of a POSIX shell: within single quotes nothing but a single quote is special. */
export function quote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return keys.test(text) ? quoteKeys(text) : `'${text.replaceAll("'", `'\\''`)}'`
}

/** Control characters but tab and line feed. A terminal could take them for keys, and so leave the quotes. */
const keys = /(?![\t\n])\p{Cc}/u

/** In the quotes of POSIX.1-2024, which bash, zsh and ksh know. */
function quoteKeys(text: string): string {
  const octal = (byte: number) => `\\${byte.toString(8).padStart(3, '0')}`
  const asBytes = (special: string) => [...new TextEncoder().encode(special)].map(octal).join('')
  return `$'${text.replace(/['\\!\p{Cc}]/gu, asBytes)}'`
}

/** The shell puts the reader's key in. */
function quoteKey(authorization: string): string {
  const text = `Authorization: ${authorization}`
  return variableIn(authorization) === undefined ? quote(text) : `"${text}"`
}
