import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { areasOf, toys } from '../../support/toys.ts'

const ours = readFileSync('openapi.yaml', 'utf8')

/** What the emulator contradicts of openapi.yaml with some of its text in another form. */
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

it('openapi.yaml itself is contradicted in nothing, and nothing of it is served but what is emulated', async () => {
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

it('a contract with none of the emulated operations only adds to them', async () => {
  const loading = await areasOf({ 'toys.yaml': toys })
  expect(loading.ok && loading.value.contradictions).toEqual([])
})

const limit = 'schema: { type: integer, minimum: 1, maximum: 100, default: 20 }'
const security = 'security:\n  - bearerAuth: []\n'

describe('it is told, with its place, that', () => {
  it.each<
    [what: string, edit: readonly [string, string], at: string, messages: readonly (string | RegExp)[]]
  >([
    [
      'a limit is another',
      [limit, limit.replace('100', '50').replace('20', '10')],
      limit.replace('100', '50').replace('20', '10'),
      [
        'GET /v1/pets: maximum of limit is 50 here; the emulator has 100',
        'GET /v1/pets: default of limit is 10 here; the emulator has 20',
      ],
    ],
    [
      'a limit is none',
      [limit, 'schema: { type: integer, default: 20 }'],
      'schema: { type: integer, default: 20 }',
      [
        'GET /v1/pets: minimum of limit is not set here; the emulator has 1',
        'GET /v1/pets: maximum of limit is not set here; the emulator has 100',
      ],
    ],
    [
      'a status is added',
      ['enum: [available, pending, sold]', 'enum: [sold, pending, available, lost]'],
      'enum: [sold',
      [
        'GET /v1/pets: enum of status is [available, lost, pending, sold] here; the emulator has [available, pending, sold]',
      ],
    ],
    [
      'another field is required',
      ['required: [name, categoryId]', 'required: [name, categoryId, status]'],
      'required: [name, categoryId, status]',
      [
        'GET /v1/pets: status is required here; the emulator may answer without it',
        'POST /v1/pets: status is required here; the emulator takes what comes without it',
      ],
    ],
    [
      'a field is not required any more',
      ['required: [name, categoryId]', 'required: [name]'],
      'categoryId:\n          type: integer',
      ['POST /v1/pets: categoryId is not required here; the emulator refuses what comes without it'],
    ],
    [
      'a field has another type',
      [
        "type: string\n          description: The animal's name.",
        'type: integer\n          description: A number.',
      ],
      'type: integer\n          description: A number.',
      ['GET /v1/pets: name is integer here; to the emulator it is string'],
    ],
    [
      'there is a further field',
      [
        '        status:\n          description: Availability. No',
        '        age: { type: integer }\n        status:\n          description: Availability. No',
      ],
      'age: {',
      ['GET /v1/pets: the emulator does not know age'],
    ],
    [
      'there may be no further fields',
      ['required: [name, categoryId]', 'additionalProperties: false\n      required: [name, categoryId]'],
      'additionalProperties: false',
      ['POST /v1/pets: the body may have no other fields here; the emulator ignores them'],
    ],
    [
      'a parameter is required',
      ['description: Only animals with this', 'required: true\n      description: Only animals with this'],
      'name: status',
      ['GET /v1/pets: the parameter status is required here; the emulator does without'],
    ],
    [
      'there is a further parameter',
      ['- $ref: "#/components/parameters/Cursor"', '- { name: q, in: query, schema: { type: string } }'],
      '{ name: q',
      ['GET /v1/pets: the emulator does not know the parameter q, and ignores it'],
    ],
    [
      'a parameter is gone',
      ['        - $ref: "#/components/parameters/Status"\n', ''],
      'operationId: listPets',
      ['GET /v1/pets: the parameter status is not here; the emulator heeds it'],
    ],
    [
      'it answers with another status',
      ['"201":', '"200":'],
      '"200":\n          description: The animal, as created.',
      ['POST /v1/pets: 201 is not among the answers here; the emulator gives it'],
    ],
    [
      'an operation is not deprecated',
      ['deprecated: true\n', ''],
      'operationId: getPet',
      ['GET /v1/pets/{petId}: it is not deprecated here; to the emulator it is deprecated'],
    ],
    [
      'it is removed on another day',
      ['x-deprecated-sunset: "2030-12-05"', 'x-deprecated-sunset: "2029-01-01"'],
      '"2029-01-01"',
      ['GET /v1/pets/{petId}: it is removed on 2029-01-01 here; the emulator removes it on 2030-12-05'],
    ],
    [
      'no key is needed',
      [security, ''],
      '',
      [/^GET \/v1\/pets: no key is needed here; the emulator wants one$/],
    ],
    [
      'the key is sent otherwise',
      ['type: http\n      scheme: bearer', 'type: apiKey\n      in: header\n      name: X-Key'],
      '- bearerAuth',
      [/^GET \/v1\/pets: the key is not a bearer token here; to the emulator it is one$/],
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
    // A map stands where its first field does, and a list where its first item does.
    if (at !== '') expect(Math.abs(Number(line) - expected)).toBeLessThanOrEqual(1)
  })

  it('an operation is not there', async () => {
    const start = ours.indexOf('  /store/orders:')
    const { contradictions } = await contradictionsOf([ours.slice(start, ours.indexOf('\ncomponents:')), ''])
    expect(contradictions).toEqual([
      expect.stringMatching(
        /^mine\.yaml:\d+:\d+: GET \/v1\/store\/orders is not here; the emulator answers it$/,
      ),
    ])
  })

  it('the addresses do not end in /v1', async () => {
    const start = ours.indexOf('servers:')
    const servers = ours.slice(start, ours.indexOf('\nsecurity:'))
    const { contradictions } = await contradictionsOf([
      servers,
      'servers: [{ url: https://pets.example/v2 }]\n',
    ])
    expect(contradictions).toEqual([
      expect.stringMatching(
        /: none of these addresses ends in \/v1; the emulator has every path under \/v1$/,
      ),
    ])
  })

  it('the orders of the fixtures are not as the contract has them', async () => {
    const { judgeOrders } = await contradictionsOf([
      'additionalProperties: true',
      'required: [quantity]\n      properties: { status: { enum: [placed] }, quantity: { type: integer } }',
    ])
    const found = await judgeOrders(shippedFixtures.orders)
    expect(found[0]).toMatch(/^GET \/v1\/store\/orders: the orders of the fixtures do not fit: .*'quantity'/)
  })
})
