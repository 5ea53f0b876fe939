import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { startPetMock } from '../../../src/library/testing/start-pet-mock.ts'
import { directoryWith } from '../../support/directory.ts'
import { toys } from '../../support/toys.ts'

it.each<[what: string, given: (path: string) => string | URL]>([
  ['a path', path => path],
  ['a URL', path => pathToFileURL(path)],
])('startPetMock serves what a contract adds, by %s', async (_what, given) => {
  const path = `${directoryWith({ 'toys.yaml': toys })}/toys.yaml`
  const mock = await startPetMock({ openapi: given(path) })
  onTestFinished(() => mock.close())
  const send = async (target: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${mock.key}`, 'Content-Type': 'application/json' }
    return (await fetch(`${mock.url}${target}`, { ...init, headers })).status
  }
  expect(await send('/toys', { method: 'POST', body: '{"name":"Rope"}' })).toBe(201)
  const snapshot = await mock.snapshot.save()
  expect(await send('/toys/8', { method: 'DELETE' })).toBe(204)
  expect(await send('/toys/8')).toBe(404)
  await mock.snapshot.load(snapshot)
  expect(await send('/toys/8')).toBe(200)
  await mock.reset()
  expect(await send('/toys/8')).toBe(404)
  expect((await mock.requests.list()).map(({ operation }) => operation)).toEqual(['getToy'])
})

it('a snapshot whose records are none is refused, with its place', async () => {
  const mock = await startPetMock()
  onTestFinished(() => mock.close())
  const snapshot = await mock.snapshot.save()
  const records = [
    { path: '/v1/toys', nextId: 1, list: '[1]' },
    { path: '/v1/toys', nextId: 1, list: '[]' },
  ]
  await expect(mock.snapshot.load(Object.assign({}, snapshot, { records }))).rejects.toMatchObject({
    code: 'invalid_command',
    message:
      'snapshot.records[1].path: there are other records of /v1/toys; snapshot.records[0].list: expected a text that is a JSON array of objects.',
  })
})

it('an impossible contract is refused, with all its mistakes', async () => {
  const path = `${directoryWith({ 'toys.yaml': 'openapi: 3.1.0\npaths: {}\n' })}/toys.yaml`
  await expect(startPetMock({ openapi: path })).rejects.toMatchObject({
    name: 'PetMockError',
    code: 'invalid_openapi',
    message: `openapi: ${path}:1:1: info is missing: expected a map with title and version\nopenapi: ${path}:2:8: paths: expected a map with at least one path, found an empty map`,
  })
})
