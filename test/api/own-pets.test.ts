import { expect, test } from 'vitest'
import { shippedFixtures } from '../../src/control/fixtures/fixtures.ts'
import { readFixtures } from '../../src/control/fixtures/read.ts'
import type { ScenarioFile } from '../../src/control/scenario/file.ts'
import { changing } from '../support/changes.ts'
import { describeDoors } from '../support/doors.ts'
import { scenarioOf } from '../support/scenarios.ts'
import { takeSandboxesSnapshot } from '../support/snapshots.ts'

async function scenarioWith(pets: string, file: ScenarioFile = {}) {
  const reading = await readFixtures('my', new Map([['pets.yaml', pets]]), shippedFixtures)
  if (!reading.ok) throw new Error(JSON.stringify(reading.complaints))
  return scenarioOf(file, reading.value)
}

const extra = `extra: true
pets:
  - { breed: "Beagle", id: 9007199254740993, name: Rex, categoryId: 1, chip: { no: 9007199254740995, at: [0.5, null] } }
  - { name: Max, categoryId: 2, status: sold, good: true, toString: 1 }
  - { id: 1, name: One, categoryId: 3 }
`
const rex =
  '{"id":9007199254740993,"name":"Rex","categoryId":1,"breed":"Beagle","chip":{"no":9007199254740995,"at":[0.5,null]}}'
const max = '{"id":2,"name":"Max","categoryId":2,"status":"sold","good":true,"toString":1}'
const one = '{"id":1,"name":"One","categoryId":3}'

describeDoors('own pets', open => {
  test.each<[string, string, ScenarioFile['pets'], ids: readonly string[], next: string]>([
    ['one id', '[{ id: 4711, name: A, categoryId: 1 }]', { count: 1 }, ['4711'], '4712'],
    [
      'an id before generated pets',
      '[{ id: 2, name: A, categoryId: 1 }]',
      { count: 3 },
      ['1', '2', '3'],
      '4',
    ],
    [
      'an id below firstId',
      '[{ id: 5, name: A, categoryId: 1 }]',
      { count: 2, firstId: 90 },
      ['5', '90'],
      '91',
    ],
    [
      'ids out of order, and pets without one between',
      '[{ id: 3, name: A, categoryId: 1 }, { name: B, categoryId: 1 }, { id: 1, name: C, categoryId: 1 }, { name: D, categoryId: 1 }]',
      { count: 4 },
      ['1', '2', '3', '4'],
      '5',
    ],
    [
      'added pets after the greatest id',
      '[{ id: 4711, name: A, categoryId: 1 }]',
      { count: 2, add: [{ name: 'B', categoryId: 1 }] },
      ['1', '4711', '4712'],
      '4713',
    ],
    [
      'ids of which one is gone, and the last id of all',
      '[{ id: 9223372036854775807, name: A, categoryId: 1 }, { id: 50, name: B, categoryId: 1 }]',
      { count: 3, gone: [50] },
      ['1', '9223372036854775807'],
      '51',
    ],
    [
      'fewer than the file has',
      '[{ id: 8, name: A, categoryId: 1 }, { id: 9, name: B, categoryId: 1 }]',
      { count: 1 },
      ['8'],
      '9',
    ],
  ])(
    '%s: each is found and listed at its place, and a new one gets the next id',
    async (_name, text, pets, ids, next) => {
      const { send } = await open({ scenario: await scenarioWith(text, { pets }) })
      const listed = async () =>
        Array.from((await send({ target: '/v1/pets' })).text.matchAll(/"id":(\d+)/g), ([, id]) => id)
      expect(await listed()).toEqual(ids)
      for (const id of ids) expect((await send({ target: `/v1/pets/${id}` })).text).toContain(`{"id":${id},`)
      const created = await send({ method: 'POST', body: { name: 'New', categoryId: 1 } })
      expect([created.headers.location, created.text]).toEqual([
        `/v1/pets/${next}`,
        `{"id":${next},"name":"New","categoryId":1}`,
      ])
      expect(await listed()).toEqual([...ids, next].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)))
    },
  )

  test('extra members are answered as they stand in the file, also after a change and a snapshot', async () => {
    const scenario = await scenarioWith(extra, { pets: { count: 3 } })
    const { send, emulator } = await open({ scenario })
    const change = changing(emulator)
    expect((await send({ target: '/v1/pets' })).text).toBe(`[${one},${max},${rex}]`)
    expect((await send({ target: '/v1/pets?status=sold' })).text).toBe(`[${max}]`)
    expect((await send({ target: '/v1/pets/9007199254740993' })).text).toBe(rex)
    change({ do: 'changePet', id: 9007199254740993n, name: 'Roy' })
    change({ do: 'deletePet', id: 1 })
    const roy = rex.replace('Rex', 'Roy')
    expect((await send({ target: '/v1/pets' })).text).toBe(`[${max},${roy}]`)
    expect((await send({ key: 'demo-free+other', target: '/v1/pets' })).text).toBe(`[${one},${max},${rex}]`)
    const snapshot = JSON.parse(JSON.stringify(takeSandboxesSnapshot(emulator.sandboxes)))
    change({ do: 'reset' })
    expect((await send({ target: '/v1/pets' })).text).toBe(`[${one},${max},${rex}]`)
    expect(change({ do: 'loadSnapshot', snapshot }, '*')).toMatchObject({ ok: true })
    expect((await send({ target: '/v1/pets' })).text).toBe(`[${max},${roy}]`)
    expect((await send({ method: 'POST', body: { name: 'New', categoryId: 1, breed: 'x' } })).text).toBe(
      '{"id":9007199254740994,"name":"New","categoryId":1}',
    )
  })
})
