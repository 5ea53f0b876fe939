/** The forms in which a call can be taken away. */
export const copyForms = [
  { name: 'curl', write: toCurl },
  { name: 'fetch', write: toFetch },
  { name: 'Python', write: toPython },
] as const

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
function quote(text: string): string {
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

/** A call of `fetch`, for Node and browsers. */
export function toFetch(call: CallToCopy): string {
  const { origin, method, target, headers, authorization, body, cutFrom } = call
  const text = JSON.stringify(body)
  const url = origin + (target.startsWith('/') ? target : '/')
  const variable = variableIn(authorization)
  const keyText = variable ? `\`Bearer \${process.env.${variable}}\`` : JSON.stringify(authorization)
  const lines = [
    ...(authorization === undefined ? [] : [`    Authorization: ${keyText},`]),
    ...headers.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
  ]
  const fields = [
    `  method: ${JSON.stringify(method)},`,
    ...(lines.length === 0 ? [] : ['  headers: {', ...lines, '  },']),
    // For a text, `fetch` would send a type of its own.
    ...(body === null ? [] : [`  body: ${hasType(call) ? text : `new TextEncoder().encode(${text})`},`]),
  ]
  const note = cutFrom === null ? '' : `// The body is cut: it had ${cutFrom} bytes.\n`
  return `${note}const response = await fetch(${JSON.stringify(url)}, {\n${fields.join('\n')}\n})`
}

/** A program for Python 3 alone. `http.client` sends the path as it is, adds no type, and a 400 is no exception. */
export function toPython(call: CallToCopy): string {
  const { origin, method, target, headers, authorization, body, cutFrom } = call
  const { protocol, host, pathname } = new URL(origin)
  const path = target.startsWith('/') ? pathname.replace(/\/$/, '') + target : target
  const variable = variableIn(authorization)
  const keyText = variable ? `"Bearer " + os.environ[${text(variable)}]` : text(authorization ?? '')
  const lines = [
    ...(authorization === undefined ? [] : [`        "Authorization": ${keyText},`]),
    ...merged(headers).map(([name, value]) => `        ${text(name)}: ${text(value)},`),
  ]
  const fields = [
    `    ${text(method)},`,
    `    ${text(path)},`,
    ...(body === null ? [] : [`    body=${text(body)}.encode(),`]),
    ...(lines.length === 0 ? [] : ['    headers={', ...lines, '    },']),
  ]
  return [
    ...(cutFrom === null ? [] : [`# The body is cut: it had ${cutFrom} bytes.`]),
    'import http.client',
    ...(variable === undefined ? [] : ['import os']),
    '',
    `connection = http.client.${protocol === 'https:' ? 'HTTPSConnection' : 'HTTPConnection'}(${text(host)})`,
    `connection.request(\n${fields.join('\n')}\n)`,
    'response = connection.getresponse()',
    'print(response.status, response.read().decode())',
  ].join('\n')
}

/** A text of Python. It has every escape that JSON has. Half a surrogate pair cannot be sent. */
function text(value: string): string {
  return JSON.stringify(value.replace(/\p{Surrogate}/gu, '\ufffd'))
}

/** A dict has each name once. Values of one name may be joined (RFC 9110, section 5.3). */
function merged(headers: CallToCopy['headers']): CallToCopy['headers'] {
  const all = new Map<string, string>()
  for (const [name, value] of headers) {
    const before = all.get(name)
    all.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return [...all]
}

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

/** The token of the admin plane, as the command reads it. */
export const ownToken = '$PET_MOCK_ADMIN_TOKEN'

/** The environment variable in the header `Authorization`, if it holds one. Nothing else of a copied text is a variable. */
function variableIn(authorization: string | undefined): string | undefined {
  return [ownKey, ownToken].find(name => authorization === `Bearer ${name}`)?.slice(1)
}

function hasType({ headers }: CallToCopy): boolean {
  return headers.some(([name]) => name.toLowerCase() === 'content-type')
}

/** What each client sets by itself, or what only fits the connection of the first call. */
const ownHeaders =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|expect|te|upgrade|accept-encoding|authorization|user-agent|sec-.*)$/

/** Masked values are of no use to anybody. */
export function headersToCopy(headers: Readonly<Record<string, string | readonly string[]>>) {
  return Object.entries(headers).flatMap(([name, values]) =>
    ownHeaders.test(name)
      ? []
      : [values]
          .flat()
          .filter(value => !value.includes('…'))
          .map(value => [name, value] as const),
  )
}
