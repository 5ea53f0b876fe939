import { type CallToCopy, variableIn } from './call.ts'

/** A program for Python 3 alone. `http.client` sends the path as it is, adds no type, and a 400 is no exception. */
export function toPython(call: CallToCopy): string {
  const { origin, method, target, headers, authorization, body, cutFrom } = call
  const { protocol, host, pathname } = new URL(origin)
  const path = target.startsWith('/') ? pathname.replace(/\/$/, '') + target : target
  const variable = authorization === undefined ? undefined : variableIn(authorization)
  const lines = [
    ...(authorization === undefined ? [] : [`        "Authorization": ${keyText(authorization)},`]),
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

function keyText(authorization: string): string {
  const variable = variableIn(authorization)
  return variable === undefined ? text(authorization) : `"Bearer " + os.environ[${text(variable)}]`
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
