import { expect } from 'vitest'
import { expectProblem } from '../../support/expectations.ts'
import { requestText, serverTest as test } from '../../support/raw-http.ts'

test('a body that stops gives its place back after 10 s', async ({ open }) => {
  const server = await open()
  const client = await server.connect()
  client.send(`${requestText('POST /__admin/reset', { lines: ['Content-Length: 100'], key: null })}{`)
  const reply = await client.reply()
  expect(expectProblem(reply, 408, 'request_timeout')).toBe('The body did not arrive within 10s.')
  expect(reply.headers.connection).toBe('close')
})
