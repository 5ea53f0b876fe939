import { describe, expect, test } from 'vitest'
import { createPetMock } from '../../../src/library/testing/create-pet-mock.ts'
import { ways } from '../../support/pet-mocks.ts'

describe.each(ways)('%s', (_, open) => {
  test('reports how its clients behaved', async () => {
    const { mock, list, close } = await open('free-plan')
    expect(await mock.conduct()).toMatchObject({ judge: 'conduct', calls: 0, findings: [] })
    await list()
    const conduct = await mock.conduct({ flights: true })
    expect(conduct).toMatchObject({
      calls: 1,
      findings: [],
      usage: [{ key: 'demo-f…', smallestPlan: 'free' }],
    })
    expect(conduct.flights).toMatchObject([{ calls: [{ status: 200, left: { minute: [59, 60] } }] }])
    await close()
  })
})

test('a client that does not wait is reported in its own sandbox', async () => {
  const mock = createPetMock({ scenario: 'rate-limit-exhaustion' })
  const { key, conduct } = mock.sandbox('hasty')
  for (let made = 0; made < 6; made += 1) {
    await mock.fetch(`${mock.url}/pets`, { headers: { Authorization: `Bearer ${key}` } })
  }
  expect((await conduct()).findings[0]).toMatchObject({ id: 'early-retry', severity: 'error', count: 2 })
  expect((await mock.conduct()).findings).toEqual([])
})

test('what ran in parallel is not held against the client, nor is a call after it, which may be of the same callers', async () => {
  const mock = createPetMock()
  const list = () => mock.fetch(`${mock.url}/pets`, { headers: { Authorization: `Bearer ${mock.key}` } })
  await Promise.all(Array.from({ length: 65 }, list))
  const ids = async () => (await mock.conduct()).findings.map(({ id }) => id)
  expect(await ids()).toEqual(['quota-peak'])
  await list()
  expect(await ids()).toEqual(['quota-peak'])
})
