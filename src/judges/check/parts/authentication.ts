import { writeJson } from '../../../base/json/write.ts'
import { type CheckRequest, get, post } from '../calls/request.ts'
import type { Part } from '../run/part.ts'
import { newPet } from './create-pet.ts'
import { checkPage } from './list-pets.ts'

/**
 * Calls without a valid key, between the other calls. They are right in everything else, so that only 401 is right: the animal
 * exists, the body is valid. A service refuses them first, so they create nothing.
 */
export const authentication: Part = {
  name: 'authentication',
  makes: ['auth-missing', 'auth-invalid', 'auth-scheme-case'],
  act: async run => {
    const { options, pets } = run
    const [pet] = pets
    const requests: readonly CheckRequest[] = [
      get('/pets'),
      ...(pet?.id === undefined || run.isAfterRemoval ? [] : [get(`/pets/${String(pet.id)}`)]),
      ...(options.allowsWrites ? [post(writeJson(newPet(run, {})))] : []),
      get('/pets'),
    ]
    const wrong = [
      'one more letter',
      { authorization: 'Bearer pet-mock-check-invalid-key' },
      { authorization: 'Basic cGV0OnBldA==' },
    ] as const
    run.interleave([
      ...requests.map(request => () => run.expect(401, { ...request, key: 'none' }, 'auth-missing')),
      ...wrong.map(key => () => run.expect(401, get('/pets', { key }), 'auth-invalid')),
      async () => {
        const page = await run.expect(
          200,
          get('/pets?limit=1', { key: 'valid, in lower case' }),
          'auth-scheme-case',
        )
        if (page !== undefined) checkPage(run, page, { limit: 1 })
      },
    ])
  },
}
