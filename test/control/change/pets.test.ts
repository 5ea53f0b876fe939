import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { type Pet, petStatuses } from '../../../src/service/pets/pet.ts'
import { PetStore } from '../../../src/service/pets/store.ts'
import { changing } from '../../support/changes.ts'
import { describeDoors } from '../../support/doors.ts'
import { scenarioOf } from '../../support/scenarios.ts'

describeDoors('pets that are changed from outside', open => {
  test('an added pet gets the next id, and a pet created later the one after', async () => {
    const { emulator, send } = await open()
    const added = changing(emulator)({ do: 'addPet', name: 'Rex', categoryId: 2n ** 60n, status: 'pending' })
    expect(added).toMatchObject({ ok: true, changed: { pet: { id: 101 } } })
    const { text } = await send({ target: '/v1/pets/101' })
    expect(text).toBe('{"id":101,"name":"Rex","categoryId":1152921504606846976,"status":"pending"}')
    const created = await send({ method: 'POST', body: { name: 'Max', categoryId: 1 } })
    expect(JSON.parse(created.text).id).toBe(102)
  })

  test('a deleted pet is in no list, and its id is not used again', async () => {
    const { emulator, send } = await open({ scenario: scenarioOf({ pets: { count: 3 } }) })
    changing(emulator)({ do: 'deletePet', id: 3 })
    expect((await send({ target: '/v1/pets/3' })).status).toBe(404)
    expect(JSON.parse((await send()).text)).toHaveLength(2)
    const created = await send({ method: 'POST', body: { name: 'Max', categoryId: 1 } })
    expect(JSON.parse(created.text).id).toBe(4)
  })

  test('a new status moves a pet from one list to another; null removes it from both', async () => {
    const { emulator, send } = await open({ scenario: scenarioOf({ pets: { count: 6 } }) })
    const change = changing(emulator)
    const ids = async (status: string) => {
      const { text } = await send({ target: `/v1/pets?status=${status}` })
      return JSON.parse(text).map(({ id }: Pet) => id)
    }
    expect([await ids('available'), await ids('sold')]).toEqual([[1, 2, 4, 6], [5]])
    change({ do: 'changePet', id: 4, status: 'sold' })
    expect([await ids('available'), await ids('sold')]).toEqual([
      [1, 2, 6],
      [4, 5],
    ])
    change({ do: 'changePet', id: 4, status: null })
    expect([await ids('available'), await ids('sold')]).toEqual([[1, 2, 6], [5]])
    expect(JSON.parse((await send({ target: '/v1/pets/4' })).text)).toEqual({
      id: 4,
      name: 'Åse',
      categoryId: 2,
    })
  })

  test('a cursor continues at its place after deletions', async () => {
    const { emulator, send, host } = await open({ scenario: scenarioOf({ pets: { count: 6 } }) })
    const { headers } = await send({ target: '/v1/pets?limit=2' })
    const next = /<([^>]+)>/.exec(headers.link ?? '')?.[1]?.replace(`http://${host}`, '')
    changing(emulator)({ do: 'deletePet', id: 2 })
    changing(emulator)({ do: 'deletePet', id: 3 })
    expect(JSON.parse((await send({ target: next ?? '' })).text).map(({ id }: Pet) => id)).toEqual([4, 5])
  })
})

test('refused: an unknown pet, and ids that are not int64s', () => {
  const change = changing(createEmulator({ scenario: scenarioOf({ pets: { gone: [13] } }), startedAt: 0 }))
  for (const id of [0, 13, 101]) {
    const refusal = { code: 'not_found', message: `there is no pet with the id ${id}.` }
    expect(change({ do: 'deletePet', id })).toEqual({ ok: false, refusal })
    expect(change({ do: 'changePet', id, name: 'x' })).toEqual({ ok: false, refusal })
  }
  for (const number of [1.5, 2 ** 60, 2n ** 63n]) {
    const refusal = { code: 'invalid_command' }
    expect(change({ do: 'deletePet', id: number })).toMatchObject({ ok: false, refusal })
    expect(change({ do: 'addPet', name: 'x', categoryId: number })).toMatchObject({ ok: false, refusal })
    expect(change({ do: 'changePet', id: 1, categoryId: number })).toMatchObject({ ok: false, refusal })
  }
})

test('ids beyond 2^53 can be digits in text, as JSON clients send them', () => {
  const firstId = 2n ** 53n
  const emulator = createEmulator({ scenario: scenarioOf({ pets: { firstId } }), startedAt: 0 })
  const change = changing(emulator)
  const send = (json: object) => change(JSON.parse(JSON.stringify(json)))
  expect(send({ do: 'deletePet', id: '9007199254740993' })).toMatchObject({
    changed: { pet: { id: firstId + 1n } },
  })
  expect(send({ do: 'changePet', id: '9007199254740994', categoryId: '7' })).toMatchObject({
    changed: { pet: { id: firstId + 2n, categoryId: 7 } },
  })
  expect(send({ do: 'addPet', name: 'x', categoryId: '9223372036854775807' })).toMatchObject({
    changed: { pet: { categoryId: 2n ** 63n - 1n } },
  })
})

const status = fc.constantFrom(undefined, ...petStatuses)
const deeds = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('create' as const), status }),
    fc.record({ kind: fc.constant('delete' as const), which: fc.nat(30) }),
    fc.record({ kind: fc.constant('replace' as const), which: fc.nat(30), status }),
    fc.record({ kind: fc.constant('fork' as const) }),
  ),
  { maxLength: 60 },
)

test.each([1, 2n ** 53n - 2n])(
  'after any changes, lists and lookups agree with a plain list (ids from %d)',
  firstId => {
    fc.assert(
      fc.property(deeds, all => {
        let store = new PetStore(typeof firstId === 'bigint' ? Number(firstId) : firstId)
        let model: Pet[] = []
        for (const deed of all) {
          if (deed.kind === 'create')
            model = [...model, store.create({ name: 'a', categoryId: 1, status: deed.status })]
          if (deed.kind === 'fork') {
            const before = store
            store = store.fork()
            // What is done to the fork from here on must not show in the one that it came from.
            expect([...before]).toEqual(model)
          }
          if (deed.kind !== 'delete' && deed.kind !== 'replace') continue
          const pet = model[deed.which]
          if (pet === undefined) continue
          const id = pet.id
          if (deed.kind === 'delete') {
            store.delete(id)
            model = model.filter(other => other.id !== id)
          } else {
            const changed = { ...pet, name: 'b', status: deed.status }
            store.replace(changed)
            model = model.map(other => (other.id === id ? changed : other))
          }
        }
        expect([...store]).toEqual(model)
        for (const each of petStatuses) {
          expect(store.page(each, undefined, 100).pets).toEqual(model.filter(pet => pet.status === each))
        }
        for (const pet of model) expect(store.get(pet.id)).toEqual(pet)
      }),
    )
  },
)
