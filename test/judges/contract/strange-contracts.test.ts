import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readDocument } from '../../../src/control/files/document.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { findBreaches, readOperations } from '../../../src/judges/contract/prism/prism.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'
import { areasOf, toys } from '../../support/toys.ts'

const whole = await readDocument('toys.yaml', toys)
const plain = JSON.stringify(whole.ok ? whole.value.value : {}, (_name, value) =>
  typeof value === 'bigint' ? Number(value) : value,
)

/** Every place of a value, as the names that lead to it. */
function placesOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, field]) => placesOf(field, [...path, name]))]
}

const places = placesOf(JSON.parse(plain)).filter(path => path.length > 0)

function edit(description: unknown, path: readonly string[], to: unknown): void {
  let at = description as Record<string, unknown>
  for (const name of path.slice(0, -1)) {
    const next = at[name]
    if (typeof next !== 'object' || next === null) return
    at = next as Record<string, unknown>
  }
  const last = path.at(-1) ?? ''
  if (to === undefined) delete at[last]
  else at[last] = to
}

const value = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    '',
    'string',
    'array',
    [],
    {},
    [[]],
    { $ref: '#/components/schemas/Toy' },
    { type: 'string' },
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

type Edit = readonly [path: readonly string[], to: unknown]

/** Expects that an edited contract is rejected with places, or that each of its operations answers. */
async function expectRefusalOrAnswers(edits: readonly Edit[]): Promise<void> {
  const description = JSON.parse(plain)
  for (const [path, to] of edits) edit(description, path, structuredClone(to))
  const loading = await areasOf({ 'toys.json': JSON.stringify(description) })
  if (!loading.ok) {
    for (const complaint of loading.complaints) expect(complaint).toMatch(/^toys\.json:\d+:\d+: ./)
    return
  }
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: noon, onError })
  emulator.openAreas(loading.value.areas)
  for (const { described } of loading.value.areas.served) {
    const hasBody = !['GET', 'DELETE'].includes(described.method)
    await emulator.answer({
      method: described.method,
      target: described.fullPath.replace(/\{[^{}]*\}/g, '7'),
      headers: ['Host', 'localhost', 'Authorization', 'Bearer demo-pro', 'Content-Type', 'application/json'],
      body: hasBody ? new TextEncoder().encode('{"name":"Rope"}') : undefined,
      scheme: 'http',
      client: '127.0.0.1',
      receivedAt: noon,
    })
  }
  expect(errors).toEqual([])
}

const weather = ['paths', '/weather', 'get']

it.each<{ readonly title: string; readonly edits: readonly Edit[] }>([
  {
    title: 'a response header that is a list',
    edits: [[[...weather, 'responses', '200', 'headers', 'X-Station', 'schema', 'type'], 'array']],
  },
  {
    title: 'a response header that is a map',
    edits: [[[...weather, 'responses', '200', 'headers', 'X-Station', 'schema', 'type'], 'object']],
  },
  {
    title: 'a request header that is a list',
    edits: [[[...weather, 'parameters', '0'], { name: 'X-Tags', in: 'header', schema: { type: 'array' } }]],
  },
])('serves a contract with $title', ({ edits }) => expectRefusalOrAnswers(edits))

it('rejects a strange contract with places, or serves it without a failure', {
  timeout: 120_000,
}, async () => {
  const edits = fc.array(fc.tuple(fc.constantFrom(...places), value), { minLength: 1, maxLength: 3 })
  await fc.assert(fc.asyncProperty(edits, expectRefusalOrAnswers), { numRuns: 100 })
})

it('prepares absent headers that are lists once, not for each request', async () => {
  const schema = { type: 'array', items: { type: 'string' } }
  const responses = { 200: { description: 'ok' } }
  const get = { parameters: [{ name: 'X-Tags', in: 'header', schema }], responses }
  const info = { title: 'T', version: '1' }
  const [operation] = await readOperations({ openapi: '3.1.0', info, paths: { '/a': { get } } })
  if (operation === undefined) throw new Error('The operation is missing.')
  const judge = async (requestHeaders: Readonly<Record<string, string>>) => {
    const texts = { method: 'GET', target: '/a', requestHeaders, requestBody: undefined, status: 200 }
    await findBreaches(operation, { ...texts, headers: {}, body: undefined })
    // Prism keeps what it compiles for each list of headers.
    return Array.from(operation.untyped?.values() ?? [], lists => [...lists.values()]).flat()
  }
  const [absent, ...others] = await judge({})
  expect(absent).toEqual([expect.objectContaining({ name: 'X-Tags', schema: {} })])
  expect(others).toEqual([])
  const again = [...(await judge({ 'x-tags': 'a' })), ...(await judge({}))]
  for (const list of again) expect(list).toBe(absent)
})
