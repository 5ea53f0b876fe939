import { newPet } from '../load/load.ts'
import type { Measurement } from '../measurement.ts'
import { unlimitedPetMock } from '../servers/pet-mock.ts'
import { besideBare } from './beside-bare.ts'
import { listCall } from './volleys.ts'

export const mix: Measurement = {
  name: 'mix',
  about: 'nine reads to one create, beside a bare server',
  needsPeers: false,
  run: bench => {
    const petMock = unlimitedPetMock(bench.root)
    const list = listCall(petMock)
    const create = { method: 'POST', target: '/v1/pets', key: petMock.key, body: newPet } as const
    return besideBare(bench, {
      title: 'A mix: nine reads to one create',
      notes: [
        'As above; every tenth call is a `POST /v1/pets`. The bare server reads the body and drops it; pet-mock checks it and keeps the pet. The first page of the list stays the same.',
      ],
      speed: 'mixed calls a second',
      petMock,
      calls: [...Array(9).fill(list), create],
      recorded: [list, create],
      limit: { goal: 0.85 },
    })
  },
}
