import { expect, test } from 'vitest'
import { describeDoors, type TestRequest } from '../support/doors.ts'
import { noon, scenarioOf } from '../support/scenarios.ts'

const requests: TestRequest[] = [
  {},
  { target: '/v1/pets?limit=100' },
  { method: 'POST', body: { name: 'Rex', categoryId: 1 } },
  { method: 'POST', body: { name: 'Rex' } },
  { target: '/v1/pets/101' },
  { target: '/v1/store/orders', key: 'demo-pro' },
  { key: null },
  ...Array.from({ length: 70 }, () => ({ target: '/v1/pets?limit=1' })),
]

describeDoors('determinism', open => {
  test('the same seed and the same calls give the same bytes, Date included', async () => {
    const runs: string[] = []
    for (let run = 0; run < 2; run += 1) {
      const door = await open({ scenario: scenarioOf({ seed: 7 }) })
      const replies: unknown[] = []
      for (const request of requests) {
        replies.push(await door.send({ ...request, headers: [['Host', 'localhost']] }))
        door.advance(137)
      }
      runs.push(JSON.stringify(replies))
    }
    expect(runs[0]).toBe(runs[1])
  })

  test('another seed generates other pets', async () => {
    const texts: string[] = []
    for (const seed of [1, 2]) {
      const door = await open({ scenario: scenarioOf({ seed }) })
      texts.push((await door.send({ target: '/v1/pets?limit=100' })).text)
    }
    expect(texts[0]).not.toBe(texts[1])
  })

  test('Date is the emulator’s time on a frozen clock', async () => {
    const { send } = await open()
    expect((await send()).headers.date).toBe(new Date(noon).toUTCString())
  })

  test('Date is real time on a running clock', async () => {
    const { send } = await open({ scenario: scenarioOf({ clock: {} }) })
    const { headers } = await send()
    expect(Math.abs(Date.parse(headers.date ?? '') - Date.now())).toBeLessThan(5_000)
  })
})
