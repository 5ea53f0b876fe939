import { renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { needPosix } from '../../support/requirements.ts'
import { runCommand, serveJson } from '../../support/run-command.ts'
import { toys } from '../../support/toys.ts'

const summary = `Contract toys.yaml
  emulated: none
  served as collections: GET /v1/toys, POST /v1/toys, GET /v1/toys/{toyId}, PUT /v1/toys/{toyId}, PATCH /v1/toys/{toyId}, DELETE /v1/toys/{toyId}
  served from examples and schemas: GET /v1/weather, GET /v1/motto, GET /v1/numbers, PUT /v1/pets/{petId}, GET /v1/pets/search
  contradictions with the emulator: none
`

/** A contract that the emulator contradicts. */
const other = `{
  "openapi": "3.0.3",
  "info": { "title": "Other", "version": "1" },
  "security": [{ "key": [] }],
  "paths": {
    "/pets": {
      "get": {
        "parameters": [
          { "name": "limit", "in": "query", "schema": { "type": "integer" } },
          { "name": "sort", "in": "query", "schema": { "type": "string" } },
          { "name": "status", "in": "query", "schema": { "type": "string", "enum": ["available", "pending", "sold"] } }
        ],
        "responses": { "200": { "description": "Pets." } }
      }
    },
    "/store/orders": {
      "get": {
        "responses": {
          "200": {
            "description": "Orders.",
            "content": { "application/json": { "schema": { "type": "array", "items": { "type": "object", "required": ["quantity"] } } } }
          }
        }
      }
    }
  },
  "components": { "securitySchemes": { "key": { "type": "http", "scheme": "bearer" } } }
}
`

const ok = 'responses: { "200": { description: ok } }'
const parts = `openapi: 3.0.0
info: { title: T, version: "1" }
paths:
  /well: { get: { tags: [Good], ${ok} } }
  /well/{id}/more: { get: { parameters: [{ name: id, in: path, required: true }], ${ok} } }
  /behind: { get: { responses: { "200": { $ref: "#/components/responses/Broken" } } } }
  /hash#part: { get: { ${ok} } }
components:
  responses: { Broken: { description: b, content: { application/json: { schema: { type: strin } } } } }
`

it.each([
  [
    [],
    `  served from examples and schemas: GET /v1/well, GET /v1/well/{id}/more
  left out, because of mistakes:
    GET /behind: a.yaml:9:89: components.responses.Broken.content.application/json.schema.type: expected one of string, number, integer, boolean, array, object, null, found "strin"; did you mean string?
    GET /hash#part: a.yaml:7:3: paths["/hash#part"]: no request has this path: the path of a request ends before # and ?
`,
  ],
  [['--openapi-only', 'Good'], '  served from examples and schemas: GET /v1/well\n'],
  [
    ['--openapi-only', '/well/**,/b*'],
    '  served from examples and schemas: GET /v1/well/{id}/more\n  left out, because of mistakes:\n    GET /behind: ',
  ],
])('serves what it can of a contract, and names the rest (%j)', async (flags, lines) => {
  const args = ['exec', '--openapi', 'a.yaml', ...flags, '--log-format', 'pretty', '--', 'true']
  const { code, stderr } = await runCommand(args, { cwd: directoryWith({ 'a.yaml': parts }) })
  expect(code).toBe(0)
  expect(stderr).toContain(lines)
})

it('names what documents only errors', async () => {
  const store = `openapi: 3.0.0
info: { title: T, version: "1" }
paths:
  /pet: { post: { responses: { "405": { description: Invalid input } } } }
`
  const { stdout, stderr } = await runCommand(
    ['exec', '--openapi', 'a.yaml', '--log-format', 'pretty', '--', 'true'],
    {
      cwd: directoryWith({ 'a.yaml': store }),
    },
  )
  expect(`${stdout}${stderr}`).toContain(
    '  documented with errors only, answered with the first: POST /v1/pet\n',
  )
})

async function serve(
  texts: Readonly<Record<string, string>>,
  args: readonly string[] = ['--openapi', 'toys.yaml'],
) {
  const folder = directoryWith(texts)
  const running = await serveJson(args, { cwd: folder })
  const call = async (target: string, init: RequestInit = {}) => {
    const headers = { Authorization: 'Bearer demo-free', 'Content-Type': 'application/json' }
    const response = await fetch(`${running.ready.url}${target}`, { headers, ...init })
    return { status: response.status, text: await response.text() }
  }
  return { ...running, folder, call }
}

const create = (name: string) => ({ method: 'POST', body: JSON.stringify({ name }) })

describe('--openapi', () => {
  needPosix('signals')

  it('serves its operations, and lists them at the start', async () => {
    const { call, untilTold, stderr, ready } = await serve({ 'toys.yaml': toys })
    await untilTold(/contradictions/)
    expect(stderr()).toBe(summary)
    expect(await call('/toys', create('Rope'))).toMatchObject({ status: 201 })
    expect(await call('/toys/8')).toMatchObject({ status: 200 })
    expect(await call('/pets?limit=1')).toMatchObject({ status: 200 })
    const { requests } = JSON.parse(await (await fetch(`${ready.admin}/requests?keys=shown`)).text())
    expect(requests.map(({ operation }: { operation: string }) => operation).toSorted()).toEqual([
      'createToy',
      'getToy',
      'listPets',
    ])
    const { explanation } = JSON.parse(await (await fetch(`${ready.admin}/requests/1`)).text())
    expect(explanation.sentences).toContain('createToy answered it from a collection of the contract.')
    const metrics = await (await fetch(`${ready.admin}/metrics`)).text()
    expect(metrics).toMatch(/operation="createToy".* 1$/m)
    await fetch(`${ready.admin}/reset`, { method: 'POST' })
    expect(await call('/toys/8')).toMatchObject({ status: 404 })
  })

  it('reads PET_MOCK_OPENAPI and JSON, and lists contradictions', async () => {
    const cwd = directoryWith({ 'other.json': other })
    const ended = await runCommand(['exec', '--', process.execPath, '-e', ''], {
      cwd,
      env: { PET_MOCK_OPENAPI: 'other.json' },
    })
    expect(ended).toMatchObject({ code: 0, stdout: '' })
    const lines = ended.stderr.trimEnd().split('\n')
    expect(lines.slice(0, 8)).toEqual([
      'Contract other.json',
      '  emulated: GET /v1/pets, GET /v1/store/orders',
      '  served as collections: none',
      '  served from examples and schemas: none',
      '  contradictions with the emulator:',
      '    other.json:10:11: GET /v1/pets: the parameter sort is described here, but ignored in the emulator',
      '    other.json:5:12: POST /v1/pets is missing here, but supported in the emulator',
      '    other.json:5:12: GET /v1/pets/{petId} is missing here, but supported in the emulator',
    ])
    expect(lines[8]).toMatch(
      /^ {4}GET \/v1\/store\/orders: the orders of the fixtures do not match: .*quantity/,
    )
  })

  it.each([
    ['an invalid file', 'paths: 1', [/^toys\.yaml:\d+:\d+: /]],
    ['a missing file', undefined, [/^--openapi: there is no file toys\.yaml in /]],
  ])('%s: every mistake is listed, nothing starts', async (_what, text, lines) => {
    const cwd = directoryWith(
      text === undefined ? {} : { 'toys.yaml': `openapi: 3.1.0\ninfo: {}\n${text}\n` },
    )
    for (const command of [[], ['exec', '--', process.execPath, '-e', 'console.log("ran")']]) {
      const [name = '', ...rest] = command
      const args = [
        ...(name === '' ? [] : [name]),
        '--openapi',
        'toys.yaml',
        '--scenario',
        'nothing',
        ...rest,
      ]
      const { code, stdout, stderr } = await runCommand(args, { cwd })
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/--scenario: "nothing" is neither a shipped scenario nor a file/)
      for (const line of lines) expect(stderr.split('\n')).toContainEqual(expect.stringMatching(line))
    }
  })

  it('--state saves the records', async () => {
    const folder = directoryWith({ 'toys.yaml': toys })
    const args = ['--openapi', 'toys.yaml', '--state', 'state.json']
    const start = async () => {
      const { ready, child, ended } = await serveJson(args, { cwd: folder })
      const call = async (target: string, init: RequestInit = {}) => {
        const headers = { Authorization: 'Bearer demo-free', 'Content-Type': 'application/json' }
        return (await fetch(`${ready.url}${target}`, { headers, ...init })).text()
      }
      const stop = async () => {
        child.kill('SIGTERM')
        await ended
      }
      return { call, stop }
    }
    const first = await start()
    const rope = await first.call('/toys', {
      method: 'POST',
      body: '{"name":"Rope","makerId":9007199254740993}',
    })
    await first.stop()
    const second = await start()
    expect(await second.call('/toys/8')).toBe(rope)
    expect(JSON.parse(await second.call('/toys', create('Cube')))).toMatchObject({ id: 9 })
    await second.stop()
  })

  it('--contract checks against it instead of openapi.yaml', async () => {
    const strict = `${toys.replace('example: Adopt!', 'example: Adopt!, schema: { type: string, maxLength: 3 }')}`
    const cwd = directoryWith({ 'toys.yaml': strict })
    const script = `const { PET_MOCK_URL: url, PET_MOCK_KEY: key } = process.env
      for (const target of ['/toys', '/motto', '/pets'])
        await (await fetch(url + target, { headers: { Authorization: 'Bearer ' + key } })).text()`
    const flags = ['--openapi', 'toys.yaml', '--contract']
    const command = ['--', process.execPath, '--input-type=module', '-e', script]
    const { code, stderr } = await runCommand(['exec', ...flags, ...command], { cwd })
    expect(code).toBe(1)
    expect(stderr).toContain('The contract: 1 error\n')
    expect(stderr).toContain('GET /v1/motto → 200  Response body must NOT have more than 3 characters')
    expect(stderr).toContain('Judged  3 calls; 1 broke the contract\n')
  })
})

describe('--watch', () => {
  const watching = async (texts: Readonly<Record<string, string>> = { 'toys.yaml': toys }) => {
    const server = await serve(texts, ['--openapi', 'toys.yaml', '--watch'])
    await server.untilTold(/contradictions/)
    return server
  }

  it('adopts a valid save, and keeps the records', async () => {
    const { folder, call, untilTold } = await watching()
    await call('/toys', create('Rope'))
    const changed = toys.replace('  /motto:', '  /slogan:').replaceAll('minLength: 1', 'minLength: 5')
    writeFileSync(join(folder, 'new.yaml'), changed)
    renameSync(join(folder, 'new.yaml'), join(folder, 'toys.yaml'))
    await untilTold(/^Reloaded toys\.yaml\. Applied now: the contract\.$/m)
    await untilTold(/examples and schemas: GET \/v1\/weather, GET \/v1\/slogan/)
    expect(await call('/motto')).toMatchObject({ status: 404 })
    expect(await call('/slogan')).toMatchObject({ status: 200 })
    expect(await call('/toys/8')).toMatchObject({ status: 200 })
    expect(await call('/toys', create('Cube'))).toMatchObject({ status: 400 })
    expect(await call('/toys', create('Bottle'))).toMatchObject({ status: 201 })
  })

  it('reports an invalid one as at a start, and keeps the previous one', async () => {
    const { folder, call, untilTold, stderr } = await watching()
    writeFileSync(join(folder, 'toys.yaml'), toys.replace('paths:', 'pathss:'))
    await untilTold(/^The previous version stays active until this is fixed\.$/m)
    expect(stderr()).toContain('pathss: unknown field; did you mean paths?\n')
    expect(await call('/toys')).toMatchObject({ status: 200 })
    unlinkSync(join(folder, 'toys.yaml'))
    await untilTold(/^--openapi: there is no file toys\.yaml in /m)
    writeFileSync(join(folder, 'toys.yaml'), toys.replace('  /motto:', '  /slogan:'))
    await untilTold(/GET \/v1\/slogan/)
    expect(await call('/slogan')).toMatchObject({ status: 200 })
  })

  it('watches referenced files', async () => {
    const parts =
      'Weather: { type: object, required: [sky], properties: { sky: { type: string, example: clear } } }\n'
    const { folder, call, untilTold } = await watching({
      'toys.yaml': `openapi: 3.1.0
info: { title: Parts, version: "1" }
paths:
  /weather:
    get: { responses: { "200": { description: a, content: { application/json: { schema: { $ref: parts.yaml#/Weather } } } } } }
`,
      'parts.yaml': parts,
    })
    expect(await call('/weather')).toMatchObject({ text: '{"sky":"clear"}' })
    writeFileSync(join(folder, 'parts.yaml'), parts.replace('clear', 'grey'))
    await untilTold(/^Reloaded parts\.yaml\. Applied now: the contract\.$/m)
    expect(await call('/weather')).toMatchObject({ text: '{"sky":"grey"}' })
  })
})
