import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { areasOf, toys } from '../../support/toys.ts'

const ours = readFileSync('openapi.yaml', 'utf8')

/** The contradictions between the emulator and an edited openapi.yaml. */
async function contradictionsOf(...edits: readonly (readonly [from: string, to: string])[]) {
  let text = ours
  for (const [from, to] of edits) {
    if (!text.includes(from)) throw new Error(`openapi.yaml has no ${from}`)
    text = text.replace(from, to)
  }
  const loading = await areasOf({ 'mine.yaml': text })
  if (!loading.ok) throw new Error(loading.complaints.join('\n'))
  return { ...loading.value, lines: text.split('\n') }
}

it('the emulator does not contradict openapi.yaml, and serves no operation of it from the contract', async () => {
  const { contradictions, areas, judgeOrders } = await contradictionsOf()
  expect(contradictions).toEqual([])
  expect(areas.served).toEqual([])
  expect(areas.operations.map(({ id, isEmulated }) => [id, isEmulated])).toEqual([
    ['listPets', true],
    ['createPet', true],
    ['getPet', true],
    ['listOrders', true],
  ])
  expect(await judgeOrders(shippedFixtures.orders)).toEqual([])
})

const orderFields = 'required: [quantity]\n      properties: { quantity: { type: integer, minimum: 1 } }'

it('a contract without any emulated operation only adds operations', async () => {
  const loading = await areasOf({ 'toys.yaml': toys })
  expect(loading.ok && loading.value.contradictions).toEqual([])
})

it.each<[what: string, ...edits: readonly (readonly [from: string, to: string])[]]>([
  [
    'another name of a parameter of a path',
    ['  /pets/{petId}:', '  /pets/{id}:'],
    ['name: petId', 'name: id'],
  ],
  ['the fields of orders, which the specification leaves open', ['additionalProperties: true', orderFields]],
  // A contract may say the same in other words.
  ['another limit of a parameter', ['maximum: 100, default: 20', 'maximum: 50, default: 10']],
  ['another required field', ['required: [name, categoryId]', 'required: [name, categoryId, status]']],
])('%s is no contradiction', async (_what, ...edits) => {
  expect((await contradictionsOf(...edits)).contradictions).toEqual([])
})

const security = 'security:\n  - bearerAuth: []\n'

describe('a contradiction has its place:', () => {
  it.each<
    [what: string, edit: readonly [string, string], at: string, messages: readonly (string | RegExp)[]]
  >([
    [
      'a parameter is required',
      [
        'description: Returns only animals with this',
        'required: true\n      description: Returns only animals with this',
      ],
      'name: status',
      ['GET /v1/pets: the parameter status is required here, but optional in the emulator'],
    ],
    [
      'a parameter is added',
      ['- $ref: "#/components/parameters/Cursor"', '- { name: q, in: query, schema: { type: string } }'],
      '{ name: q',
      ['GET /v1/pets: the parameter q is described here, but ignored in the emulator'],
    ],
    [
      'a parameter is missing',
      ['        - $ref: "#/components/parameters/Status"\n', ''],
      'operationId: listPets',
      ['GET /v1/pets: the parameter status is missing here, but supported in the emulator'],
    ],
    [
      'the success status is another one',
      ['"201":', '"202":'],
      '"202":\n          description: The animal, as created.',
      ['POST /v1/pets: the response 201 is missing here, but the success response in the emulator'],
    ],
    [
      'an operation is not deprecated',
      ['deprecated: true\n', ''],
      'operationId: getPet',
      ['GET /v1/pets/{petId}: the operation is not deprecated here, but deprecated in the emulator'],
    ],
    [
      'the removal date is another one',
      ['x-deprecated-sunset: "2030-12-05"', 'x-deprecated-sunset: "2029-01-01"'],
      '"2029-01-01"',
      ['GET /v1/pets/{petId}: the removal date is 2029-01-01 here, but 2030-12-05 in the emulator'],
    ],
    [
      'no API key is required',
      [security, ''],
      '',
      [/^GET \/v1\/pets: an API key is optional here, but required in the emulator$/],
    ],
    [
      'the API key is not a bearer token',
      ['type: http\n      scheme: bearer', 'type: apiKey\n      in: header\n      name: X-Key'],
      '- bearerAuth',
      [/^GET \/v1\/pets: the API key is not a bearer token here, but a bearer token in the emulator$/],
    ],
  ])('%s', async (_what, edit, at, messages) => {
    const { contradictions, lines } = await contradictionsOf(edit)
    const told = contradictions.map(text => /^mine\.yaml:(\d+):\d+: (.*)$/.exec(text)?.slice(1) ?? [text])
    for (const message of messages)
      expect(told.map(([, text]) => text)).toContainEqual(
        typeof message === 'string' ? message : expect.stringMatching(message),
      )
    const [first] = messages
    const line = told.find(([, text]) =>
      typeof first === 'string' ? text === first : first?.test(text ?? ''),
    )?.[0]
    const at1 = lines.join('\n').indexOf(at)
    expect(at1).toBeGreaterThan(-1)
    const expected = lines.join('\n').slice(0, at1).split('\n').length
    // The place of a map is that of its first field, the place of a list that of its first item.
    if (at !== '') expect(Math.abs(Number(line) - expected)).toBeLessThanOrEqual(1)
  })

  it('an operation is missing', async () => {
    const start = ours.indexOf('  /store/orders:')
    const { contradictions } = await contradictionsOf([ours.slice(start, ours.indexOf('\ncomponents:')), ''])
    expect(contradictions).toEqual([
      expect.stringMatching(
        /^mine\.yaml:\d+:\d+: GET \/v1\/store\/orders is missing here, but supported in the emulator$/,
      ),
    ])
  })

  it('no server URL ends in /v1', async () => {
    const start = ours.indexOf('servers:')
    const servers = ours.slice(start, ours.indexOf('\nsecurity:'))
    const { contradictions } = await contradictionsOf([
      servers,
      'servers: [{ url: https://pets.example/v2 }]\n',
    ])
    expect(contradictions).toEqual([
      expect.stringMatching(
        /: no server URL ends in \/v1 here, but every path of the emulator begins with \/v1$/,
      ),
    ])
  })

  it('the orders of the fixtures do not match', async () => {
    const { judgeOrders } = await contradictionsOf([
      'additionalProperties: true',
      'required: [quantity]\n      properties: { status: { enum: [placed] }, quantity: { type: integer } }',
    ])
    const found = await judgeOrders(shippedFixtures.orders)
    expect(found[0]).toMatch(
      /^GET \/v1\/store\/orders: the orders of the fixtures do not match: .*'quantity'/,
    )
  })
})
