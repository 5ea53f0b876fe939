import { expect } from 'vitest'
import { serverTest } from '../../support/raw-http.ts'
import { scenarioOf } from '../../support/scenarios.ts'

const scenario = scenarioOf({
  keys: { 'demo-free': { limits: { minute: 1 } } },
  limits: { retryAfter: 'twice' },
  rules: [{ match: { method: 'PUT' }, then: { status: 429 } }],
})

serverTest('Retry-After in two lines is in two lines on the wire', async ({ open }) => {
  const { connect, host } = await open({ scenario })
  const client = await connect()
  const call = `GET /v1/pets HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer demo-free\r\n`
  client.send(`${call}\r\n${call}Connection: close\r\n\r\n`)
  const text = await client.end()
  expect(text.match(/^retry-after: \d+\r$/gim)).toHaveLength(2)
})

serverTest('fetch and Headers join them with a comma', async ({ open }) => {
  const { host } = await open({ scenario })
  const headers = { Authorization: 'Bearer demo-free' }
  await fetch(`http://${host}/v1/pets`, { headers })
  const { status, headers: found } = await fetch(`http://${host}/v1/pets`, { headers })
  expect([status, found.get('Retry-After')]).toEqual([429, expect.stringMatching(/^(\d+), \1$/)])
})
