import { adminPath } from '../routing/address.ts'
import { tags } from '../routing/route.ts'
import type { Description, Operation, Parameter } from './openapi.ts'
import type { JsonSchema } from './openapi-schemas.ts'

/** A page of the plane's description for people: one file, nothing fetched, in the colours that the reader prefers. */
export function docsPage(description: Description, version: string, origin: string): string {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const sections = Object.entries(tags).map(([tag, about]) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(tag))
    if (own.length === 0) return ''
    const blocks = own.map(({ method, path, operation }) =>
      block(method, path, operation, description, origin),
    )
    return `<section id="${tag}"><h2>${tag}</h2><p>${escapeHtml(about)}</p>${blocks.join('')}</section>`
  })
  const links = Object.keys(tags).map(tag => `<a href="#${tag}">${tag}</a>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The admin plane of pet-mock</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>The admin plane of pet-mock <small>${escapeHtml(version)}</small></h1>
<p>Ask and change what this server does. Calls here use no quota and are not in the journal.
Every route takes <code>?sandbox=NAME</code>; without it, it is about the sandbox <code>default</code>.
For programs: <a href="${adminPath}/openapi.json">openapi.json</a>.</p>
<nav>${links.join(' ')}</nav>
</header>
<main>
${sections.join('\n')}
</main>
</body>
</html>
`
}

function block(
  method: string,
  path: string,
  operation: Operation,
  description: Description,
  origin: string,
): string {
  const { operationId, summary, parameters = [], requestBody } = operation
  const body = requestBody?.content['application/json'].schema
  const example = curl(method, origin + adminPath + path, body)
  return `<details id="${operationId}">
<summary><code class="${method}">${method}</code> <code>${adminPath}${escapeHtml(path)}</code> <span>${escapeHtml(summary)}</span></summary>
${table(
  'Parameters',
  parameters.map(parameter => parameterRow(parameter)),
)}${body === undefined ? '' : bodyTable(body, description)}<pre>${escapeHtml(example)}</pre>
</details>`
}

function parameterRow({ name, required, description, schema }: Parameter): Row {
  return { name, required, type: typeOf(schema), description }
}

interface Row {
  readonly name: string
  readonly required: boolean
  readonly type: string
  readonly description: string
}

function bodyTable(body: JsonSchema, description: Description): string {
  const schema = resolve(body, description)
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const type = typeof field === 'object' ? resolve(field, description) : {}
    return {
      name,
      required: schema.required?.includes(name) ?? false,
      type: typeOf(type),
      description: type.description ?? '',
    }
  })
  return rows.length === 0 ? `<p>Body: ${escapeHtml(schema.description ?? 'JSON')}</p>` : table('Body', rows)
}

function table(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return ''
  const lines = rows.map(
    ({ name, required, type, description }) =>
      `<tr><td><code>${escapeHtml(name)}</code>${required ? ' <b>needed</b>' : ''}</td><td>${escapeHtml(type)}</td><td>${escapeHtml(description)}</td></tr>`,
  )
  return `<table><caption>${title}</caption>${lines.join('')}</table>`
}

function resolve(schema: JsonSchema, { components }: Description): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (components.schemas[name] ?? schema)
}

function typeOf({ type, enum: values, anyOf }: JsonSchema): string {
  if (values !== undefined) return values.map(value => (value === null ? 'null' : String(value))).join(' | ')
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].filter(text => text !== '').join(' | ')
  const types: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
  return types.map(String).join(' | ')
}

/** A line to paste, with the examples that the fields give. */
function curl(method: string, url: string, body: JsonSchema | undefined): string {
  const how = method === 'GET' ? '' : ` -X ${method}`
  const fields = Object.entries(body?.properties ?? {}).flatMap(([name, field]) => {
    const example = typeof field === 'object' ? field.examples?.[0] : undefined
    const isNeeded = body?.required?.includes(name) === true
    return example === undefined || (!isNeeded && body?.required !== undefined)
      ? []
      : [[name, example] as const]
  })
  const first = body?.required === undefined ? fields.slice(0, 1) : fields
  const data =
    body === undefined
      ? ''
      : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body.examples?.[0] ?? Object.fromEntries(first))}'`
  return `curl${how} '${url}'${data}`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

const style = `
:root { color-scheme: light dark; --line: #8886; --soft: #8881; --ink: #0969da }
@media (prefers-color-scheme: dark) { :root { --ink: #79c0ff } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem }
code, pre { font: 0.9em ui-monospace, monospace }
a { color: var(--ink) } small { font-weight: normal; opacity: 0.7 }
nav a { margin-right: 0.75rem }
details { border: 1px solid var(--line); border-radius: 6px; margin: 0.5rem 0; padding: 0 0.75rem }
summary { cursor: pointer; padding: 0.5rem 0; overflow-wrap: anywhere }
summary span { opacity: 0.8; display: block }
summary code:first-child { display: inline-block; min-width: 4.5em; font-weight: bold; color: var(--ink) }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0 }
caption { text-align: left; font-weight: bold }
td { border-top: 1px solid var(--line); padding: 0.25rem 0.5rem 0.25rem 0; vertical-align: top }
td b { font-weight: normal; font-size: 0.85em; opacity: 0.7 }
pre { background: var(--soft); padding: 0.5rem; border-radius: 6px; overflow-x: auto }
`
