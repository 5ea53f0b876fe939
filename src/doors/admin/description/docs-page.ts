import { html, raw } from 'hono/html'
import { adminPath } from '../routing/address.ts'
import type { JsonSchema } from '../routing/views.ts'
import type { Description, Operation } from './openapi.ts'

/** The plane's description as a web page: one file that fetches nothing and follows the reader's colour scheme. */
export function docsPage(description: Description, origin: string): string {
  const { info, tags, paths } = description
  const blocks = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tags: operation.tags,
      details: block(method.toUpperCase(), adminPath + path, operation, description, origin),
    })),
  )
  const sections = tags.map(tag => {
    const own = blocks.filter(block => block.tags.includes(tag.name)).map(({ details }) => details)
    return html`<section id="${tag.name}"><h2>${tag.name}</h2><p>${tag.description}</p>${own}</section>\n`
  })
  const links = tags.map(({ name }) => html`<a href="#${name}">${name}</a> `)
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The admin plane of pet-mock</title>
<style>${raw(style)}</style>
</head>
<body>
<header>
<h1>The admin plane of pet-mock <small>${info.version}</small></h1>
<p>Inspect and change this server. Calls here use no quota and are not in the journal.
Every route accepts <code>?sandbox=NAME</code>; the default is the sandbox <code>default</code>.
For programs: <a href="${adminPath}/openapi.json">openapi.json</a>.</p>
<nav>${links}</nav>
</header>
<main>
${sections}
</main>
</body>
</html>
`
  return page.toString()
}

function block(
  method: string,
  path: string,
  { operationId, summary, parameters = [], requestBody }: Operation,
  description: Description,
  origin: string,
) {
  const body = requestBody?.content['application/json'].schema
  const rows = [
    ...parameters.map(({ schema, ...parameter }) => ({ ...parameter, type: typeOf(schema) })),
    ...(body === undefined ? [] : bodyRows(resolve(body, description), description)),
  ].map(
    ({ name, in: place, required, type, description }) =>
      html`<tr><td><code>${name}</code>${required && html` <b>required</b>`}</td><td>${place}</td><td>${type}</td><td>${description}</td></tr>`,
  )
  return html`<details id="${operationId}">
<summary><code class="${method}">${method}</code> <code>${path}</code> <span>${summary}</span></summary>
<table>${rows}</table><pre>${curl(method, origin + path, body)}</pre>
</details>`
}

/** The fields of a body, or the body as a whole if it has no named fields. */
function bodyRows(body: JsonSchema, description: Description) {
  const { properties, required = [] } = body
  return Object.entries(properties ?? { '': body }).map(([name, field]) => {
    const type = typeof field === 'object' ? resolve(field, description) : {}
    return {
      name,
      in: 'body',
      required: required.includes(name),
      type: typeOf(type),
      description: type.description ?? '',
    }
  })
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

/** A command line to paste, with the fields' examples. */
function curl(method: string, url: string, body: JsonSchema | undefined): string {
  const how = method === 'GET' ? '' : ` -X ${method}`
  if (body === undefined) return `curl${how} '${url}'`
  const { properties = {}, required, examples } = body
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const example = typeof field === 'object' ? field.examples?.[0] : undefined
    return example === undefined || required?.includes(name) === false ? [] : [[name, example] as const]
  })
  // Without required fields, one field is enough.
  const example = examples?.[0] ?? Object.fromEntries(required === undefined ? fields.slice(0, 1) : fields)
  return `curl${how} '${url}' -H 'Content-Type: application/json' -d '${JSON.stringify(example)}'`
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
td { border-top: 1px solid var(--line); padding: 0.25rem 0.5rem 0.25rem 0; vertical-align: top }
td b { font-weight: normal; font-size: 0.85em; opacity: 0.7 }
pre { background: var(--soft); padding: 0.5rem; border-radius: 6px; overflow-x: auto }
`
