import { describe, expect, it } from 'vitest'
import { createAddressReader, moveLocation } from '../../../src/emulator/gates/api-address.ts'
import type { Forwarded } from '../../../src/emulator/gates/caller.ts'
import { reply } from '../../../src/service/call/answer.ts'
import { repeated } from '../../../src/service/call/headers.ts'

const forwarded = (named: Partial<Forwarded>): Forwarded => ({
  scheme: undefined,
  host: undefined,
  hosts: [],
  prefix: '',
  client: undefined,
  isLocal: true,
  ...named,
})

describe('the address of the API', () => {
  it.each<
    [baseUrl: string | undefined, host: string | undefined, named: Partial<Forwarded> | undefined, object]
  >([
    [undefined, 'localhost:1', undefined, { base: 'http://localhost:1/v1', moved: undefined }],
    [undefined, undefined, undefined, { base: '/v1', moved: undefined }],
    [
      'https://a.test/v2',
      'localhost:1',
      undefined,
      { base: 'https://a.test/v2', moved: 'https://a.test/v2' },
    ],
    ['https://a.test', 'b.test', { host: 'c.test' }, { base: 'https://a.test', moved: 'https://a.test' }],
    [undefined, 'localhost:1', {}, { base: 'http://localhost:1/v1', moved: undefined }],
    [undefined, 'localhost:1', { host: 'pets.test' }, { base: 'http://pets.test/v1', moved: undefined }],
    [undefined, 'localhost:1', { host: repeated }, { base: 'http://localhost:1/v1', moved: undefined }],
    [undefined, 'localhost:1', { scheme: 'https' }, { base: 'https://localhost:1/v1', moved: undefined }],
    [
      undefined,
      'localhost:1',
      { prefix: '/api' },
      { base: 'http://localhost:1/api/v1', moved: 'http://localhost:1/api/v1' },
    ],
    [undefined, undefined, { prefix: '/api' }, { base: '/api/v1', moved: '/api/v1' }],
    [undefined, undefined, {}, { base: '/v1', moved: undefined }],
  ])('%j, host %j, forwarded %j', (baseUrl, host, named, address) => {
    expect(createAddressReader(baseUrl)('http', host, named && forwarded(named))).toEqual(address)
  })

  it('is read anew for another host, another scheme and what a proxy says', () => {
    const read = createAddressReader(undefined)
    const bases = [
      read('http', 'a.test', undefined),
      read('http', 'a.test', undefined),
      read('https', 'a.test', undefined),
      read('https', 'b.test', undefined),
      read('https', 'b.test', forwarded({ host: 'c.test' })),
      read('https', 'b.test', undefined),
    ].map(({ base }) => base)
    expect(bases).toEqual([
      'http://a.test/v1',
      'http://a.test/v1',
      'https://a.test/v1',
      'https://b.test/v1',
      'https://c.test/v1',
      'https://b.test/v1',
    ])
  })

  it('is read once while it stays the same', () => {
    const read = createAddressReader(undefined)
    expect(read('http', 'a.test', undefined)).toBe(read('http', 'a.test', undefined))
  })
})

describe('Location', () => {
  it.each([
    ['/v1/pets/1', '/api/v1', '/api/v1/pets/1'],
    ['/v1', '/api/v1', '/api/v1'],
    ['/v1?a', '/api/v1', '/api/v1?a'],
    ['/v1#a', '/api/v1', '/api/v1#a'],
    ['/v12', '/api/v1', '/v12'],
    ['/x/v1/pets', '/api/v1', '/x/v1/pets'],
    ['/v1/pets/1', undefined, '/v1/pets/1'],
  ])('%s with %s becomes %s', (location, moved, expected) => {
    const answer = moveLocation(reply(201, '{}', { Location: location, Other: 'kept' }), moved)
    expect(answer).toMatchObject({ status: 201, headers: { Location: expected, Other: 'kept' } })
  })

  it('is not added', () => {
    const answer = reply(200, '{}', { Other: 'kept' })
    expect(moveLocation(answer, '/api/v1')).toBe(answer)
  })
})
