import { expect, it } from 'vitest'
import { petMockHandlers } from '../../../src/library/msw/entry.ts'
import { connectPetMock, createPetMock, startPetMock } from '../../../src/library/testing/entry.ts'

/* What the compiler tells in TypeScript, for programs in JavaScript: an ignored option would be another scenario. */
const creators: Readonly<Record<string, (options: never) => unknown>> = {
  createPetMock,
  startPetMock,
  connectPetMock,
  petMockHandlers,
}

const mistakes: readonly [creator: string, options: unknown, problem: string][] = [
  ['createPetMock', 'ban', 'expected an object of options, found "ban"'],
  ['startPetMock', ['ban'], 'expected an object of options, found a list'],
  ['createPetMock', { scenari: 'ban' }, 'unknown option "scenari"; did you mean scenario?'],
  [
    'createPetMock',
    { clock: { at: '2030-01-01' } },
    'unknown option "clock"; known are scenario, profile, require, allowAssumed, mask, box',
  ],
  [
    'createPetMock',
    { port: 4000 },
    'unknown option "port"; known are scenario, profile, require, allowAssumed, mask, box',
  ],
  [
    'createPetMock',
    { constructor: 1 },
    'unknown option "constructor"; known are scenario, profile, require, allowAssumed, mask, box',
  ],
  ['startPetMock', { scenario: 'ban', ports: 0 }, 'unknown option "ports"; did you mean port?'],
  [
    'startPetMock',
    { state: 'pets.json' },
    'unknown option "state"; known are scenario, profile, require, allowAssumed, mask, box, openapi, port, host, unref',
  ],
  ['connectPetMock', { token: 'sesame' }, 'unknown option "token"; known are url, admin, key, adminToken'],
  ['petMockHandlers', { baseURL: 'https://x.example/v1' }, 'unknown option "baseURL"; did you mean baseUrl?'],
]

it.each(mistakes)('%s(%j): %s', async (creator, options, problem) => {
  const create = async () => creators[creator]?.(options as never)
  await expect(create()).rejects.toMatchObject({
    name: 'PetMockError',
    code: 'invalid_parameter',
    message: `${creator}: ${problem}`,
  })
})
