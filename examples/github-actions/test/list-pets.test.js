import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectPetMock } from 'pet-mock'
import { listPets } from '../src/list-pets.js'

/* `pet-mock exec` has started the server; each test takes a sandbox of it, so they may run at once. */
const server = await connectPetMock()

test('it lists all pets, page by page', { concurrency: true }, async t => {
  const mock = server.sandbox('all')
  t.after(mock.close)
  assert.equal((await listPets(mock.url, mock.key)).length, 100)
  assert.equal(await mock.requests.count(), 2)
})

test('it does not wait for the end of a ban', { concurrency: true }, async t => {
  const mock = server.sandbox('banned')
  t.after(mock.close)
  await mock.keys.ban(mock.key, { for: '10m' })
  await assert.rejects(listPets(mock.url, mock.key), /429: The API key is banned/)
  assert.equal(await mock.requests.count(), 1)
})
