import { expect, it } from 'vitest'
import { stringify } from 'yaml'
import { directoryWith } from '../../support/directory.ts'
import { runCommand, serveJson } from '../../support/run-command.ts'

const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\n'
const item = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, owner: {} } }
const error = { $ref: '#/components/responses/failed' }

/** A description of 900 operations with shared schemas and examples. Each example of a list has this many records. */
function large(records: number) {
  const names = Array.from({ length: 300 }, (_, index) => `things-${index}`)
  const reply = (schema: unknown, example?: unknown) => ({
    description: 'The answer.',
    content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
  })
  const record = (id: number) => ({
    id,
    url: `https://api.example.com/things/${id}`,
    text: 'word '.repeat(20),
  })
  const pathsOf = (name: string) => {
    const ref = { $ref: `#/components/schemas/${name}` }
    const list = Array.from({ length: records }, (_, id) => record(id))
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
    const body = { required: true, content: { 'application/json': { schema: ref } } }
    return [
      [
        `/${name}`,
        {
          get: { responses: { 200: reply({ type: 'array', items: ref }, list), 404: error } },
          post: { requestBody: body, responses: { 201: reply(ref), 422: error } },
        },
      ],
      [`/${name}/{id}`, { get: { parameters, responses: { 200: reply(ref), 404: error } } }],
    ] as const
  }
  const schemas = Object.fromEntries(
    names.map((name, index) => {
      const owner = index < 100 ? { type: 'string' } : { $ref: `#/components/schemas/things-${index % 100}` }
      return [name, { ...item, properties: { ...item.properties, owner } }]
    }),
  )
  return {
    openapi: '3.1.0',
    info: { title: 'Large', version: '1' },
    paths: Object.fromEntries(names.flatMap(pathsOf)),
    components: { schemas, responses: { failed: reply({ type: 'object' }) } },
  }
}

it.each([
  ['JSON of 14 MiB', 'a.json', () => JSON.stringify(large(280))],
  ['YAML of 8 MiB', 'a.yaml', () => stringify(large(150), { aliasDuplicateObjects: false, lineWidth: 0 })],
])('%s starts within a heap of 512 MB', { timeout: 120_000 }, async (_, name, write) => {
  const text = write()
  expect(text.length).toBeGreaterThan(7 * 2 ** 20)
  const { ready } = await serveJson(['--openapi', name], {
    cwd: directoryWith({ [name]: text }),
    env: { NODE_OPTIONS: '--max-old-space-size=512' },
  })
  const reply = await fetch(`${ready.url}/things-299/7`, {
    headers: { authorization: `Bearer ${ready.key}` },
  })
  expect(reply.status).toBe(200)
  expect(await reply.json()).toMatchObject({ id: 7 })
})

const bomb = Array.from(
  { length: 9 },
  (_, n) => `- &a${n} [${`${n === 0 ? 'x' : `*a${n - 1}`},`.repeat(9)}]\n`,
)

it.each([
  ['tokens', 'a.yaml', `${head}x-a: [${'a,'.repeat(8_000_000)}a]\n`, /more than 3,000,000 tokens/],
  ['maps', 'a.yaml', `${head}x-a: [${'{},'.repeat(5_000_000)}{}]\n`, /more than 3,000,000 tokens/],
  ['aliases', 'a.yaml', `${head}x-a: [&a x,${'*a,'.repeat(5_000_000)}x]\n`, /more than 3,000,000 tokens/],
  ['a bomb of aliases', 'a.yaml', `${head}x-a:\n${bomb.join('')}`, /expand to more than 10,000 values/],
  ['values in JSON', 'a.json', `[${'{},'.repeat(5_000_000)}{}]`, /more than 1,000,000 values/],
  ['17 MiB', 'a.json', `[${' '.repeat(17 * 2 ** 20)}]`, /the limit is 16,777,216 \(16 MiB\)/],
])('a file of %s is refused within a heap of 256 MB', { timeout: 120_000 }, async (_, name, text, reason) => {
  const { code, stdout, stderr } = await runCommand(['--openapi', name, '--port', '0'], {
    cwd: directoryWith({ [name]: text }),
    env: { NODE_OPTIONS: '--max-old-space-size=256' },
  })
  expect(stdout + stderr).toMatch(reason)
  expect(code).toBe(2)
})
