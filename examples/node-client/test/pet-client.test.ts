import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPetMock, type ScenarioChoice } from 'pet-mock'
import { createPetClient, PetServiceError } from '../src/pet-client.js'

/** A client of a pet-mock in this process. Its waits move the mock's clock and take no time. */
async function open(scenario: ScenarioChoice) {
  const mock = createPetMock({ scenario })
  await mock.clock.freeze()
  const waits: number[] = []
  const client = createPetClient({
    baseUrl: mock.url,
    key: mock.key,
    fetch: mock.fetch,
    jitter: () => 0,
    sleep: async ms => {
      waits.push(ms / 1000)
      await mock.clock.advance(`${ms}ms`)
    },
  })
  return { mock, client, waits }
}

async function take<T>(items: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = []
  for await (const item of items) taken.push(item)
  return taken
}

test('it follows the pages to the end', async () => {
  const { mock, client } = await open({ pets: { count: 250 } })
  assert.equal((await take(client.pets())).length, 250)
  assert.equal(await mock.requests.count(), 3)
})

test('it lists the pets of one status', async () => {
  const { client } = await open('free-plan')
  const pending = await take(client.pets('pending'))
  assert.ok(pending.length > 0)
  assert.ok(pending.every(({ status }) => status === 'pending'))
})

test('it waits as long as Retry-After says, and tries once more', async () => {
  const { mock, client, waits } = await open('rate-limit-exhaustion')
  for (const name of ['Ada', 'Bo', 'Cleo', 'Dot']) await client.addPet({ name, categoryId: 1 })
  assert.deepEqual(waits, [60])
  assert.equal((await mock.pets.list({ after: 100 })).length, 4)
  assert.equal(await mock.requests.count({ status: 429 }), 1)
})

test('it backs off through an outage', async () => {
  const { client, waits } = await open('outage')
  assert.equal((await take(client.pets())).length, 100)
  assert.deepEqual(waits, [0.5, 1, 2, 4, 8, 16])
})

test('it creates nothing twice: after a 503 nobody knows what became of a POST', async () => {
  const { mock, client, waits } = await open('outage')
  await assert.rejects(client.addPet({ name: 'Rex', categoryId: 1 }), { status: 503 })
  assert.deepEqual([waits, await mock.requests.count()], [[], 1])
})

for (const scenario of ['ban', 'daily-limit'] as const) {
  test(`it leaves a long wait to people: ${scenario}`, async () => {
    const { client, waits } = await open(scenario)
    const add = async () => {
      for (let pet = 1; pet <= 3; pet += 1) await client.addPet({ name: `Pet ${pet}`, categoryId: 1 })
    }
    await assert.rejects(add(), PetServiceError)
    assert.deepEqual(waits, [])
  })
}

test('it says in the words of the service what is wrong', async () => {
  const { client } = await open('free-plan')
  await assert.rejects(client.addPet({ name: 'Rex', categoryId: 1.5 }), {
    code: 'invalid_body',
    message: /categoryId/,
  })
})
