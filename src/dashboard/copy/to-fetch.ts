import { type CallToCopy, hasType, variableIn } from './call.ts'

/** A call of `fetch`, for Node and browsers. */
export function toFetch(call: CallToCopy): string {
  const { origin, method, target, headers, authorization, body, cutFrom } = call
  const text = JSON.stringify(body)
  const url = origin + (target.startsWith('/') ? target : '/')
  const lines = [
    ...(authorization === undefined ? [] : [`    Authorization: ${keyText(authorization)},`]),
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

function keyText(authorization: string): string {
  const variable = variableIn(authorization)
  return variable === undefined ? JSON.stringify(authorization) : `\`Bearer \${process.env.${variable}}\``
}
