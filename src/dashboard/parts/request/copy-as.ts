/** A call to send once more, from a shell or from a program. */
export interface CallToCopy {
  /** The URL before `/v1`. */
  readonly origin: string
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The value of the header `Authorization`. `$API_KEY`: the reader's own key. Undefined: the call has none. */
  readonly authorization: string | undefined
  readonly body: string | null
  /** Bytes of the whole body, if only its beginning is known. */
  readonly cutFrom: number | null
}

/** The reader's own key, where the call had one that the server does not know. */
export const ownKey = '$API_KEY'

/** What each client sets by itself, or what only fits the connection of the first call. */
const ownHeaders =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|expect|te|upgrade|accept-encoding|authorization|user-agent|sec-.*)$/

/** Masked values are of no use to anybody. */
export function headersToCopy(
  headers: Readonly<Record<string, string | readonly string[]>>,
): readonly (readonly [string, string])[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    ownHeaders.test(name)
      ? []
      : [values]
          .flat()
          .filter(value => !value.includes('…'))
          .map(value => [name, value] as const),
  )
}

/** A command line for a POSIX shell. */
export function toCurl({
  origin,
  method,
  target,
  headers,
  authorization,
  body,
  cutFrom,
}: CallToCopy): string {
  const isPath = target.startsWith('/')
  const parts = [
    `curl --globoff --path-as-is ${quote(origin + (isPath ? target : '/'))}`,
    ...(isPath ? [] : [`--request-target ${quote(target)}`]),
    ...(method === 'HEAD' ? ['--head'] : usualMethod(method, body) ? [] : [`--request ${quote(method)}`]),
    ...(authorization === undefined ? [] : [`--header ${quoteKey(`Authorization: ${authorization}`)}`]),
    // curl sends an empty header only with a semicolon.
    ...headers.map(([name, value]) => `--header ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    // curl would send one of its own.
    ...(body !== null && !hasType(headers) ? ["--header 'Content-Type:'"] : []),
    // Unlike --data, this does not read a file whose name follows an @.
    ...(body === null ? [] : [`--data-raw ${quote(body)}`]),
  ]
  const note = cutFrom === null ? '' : `# The body is cut: it had ${cutFrom} bytes.\n`
  return `${note}${parts.join(' \\\n  ')}`
}

function hasType(headers: CallToCopy['headers']): boolean {
  return headers.some(([name]) => name === 'content-type')
}

function usualMethod(method: string, body: string | null): boolean {
  return method === (body === null ? 'GET' : 'POST')
}

/** A word of a POSIX shell: within single quotes nothing but a single quote is special. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** The shell puts the reader's key in. Nothing else of the text comes from a client. */
function quoteKey(text: string): string {
  return text.endsWith(` ${ownKey}`) ? `"${text}"` : quote(text)
}

/** A call of `fetch`, for Node and browsers. */
export function toFetch({
  origin,
  method,
  target,
  headers,
  authorization,
  body,
  cutFrom,
}: CallToCopy): string {
  const url = origin + (target.startsWith('/') ? target : '/')
  const lines = [
    ...(authorization === undefined ? [] : [`    Authorization: ${keyText(authorization)},`]),
    ...headers.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
  ]
  const fields = [
    `  method: ${JSON.stringify(method)},`,
    ...(lines.length === 0 ? [] : ['  headers: {', ...lines, '  },']),
    ...(body === null ? [] : [`  body: ${bodyText(body, hasType(headers))},`]),
  ]
  const note = cutFrom === null ? '' : `// The body is cut: it had ${cutFrom} bytes.\n`
  return `${note}const response = await fetch(${JSON.stringify(url)}, {\n${fields.join('\n')}\n})`
}

function keyText(authorization: string): string {
  return authorization.endsWith(` ${ownKey}`)
    ? '`Bearer ${process.env.API_KEY}`'
    : JSON.stringify(authorization)
}

/** For a text, `fetch` would send a type of its own. */
function bodyText(body: string, hasType: boolean): string {
  return hasType ? JSON.stringify(body) : `new TextEncoder().encode(${JSON.stringify(body)})`
}
