import { expect, it } from 'vitest'
import { createPetMock } from '../../../src/library/testing/create-pet-mock.ts'
import { startPetMock } from '../../../src/library/testing/start-pet-mock.ts'

it.each([undefined, ['tenant']])('masks names of the option mask (%j)', async mask => {
  await using served = await startPetMock({ ...(mask && { mask }) })
  await using inProcess = createPetMock({ ...(mask && { mask }) })
  const headers = { Authorization: `Bearer ${served.key}`, 'X-Tenant-Id': 'acme-corporation' }
  await fetch(`${served.url}/pets`, { headers })
  await inProcess.fetch(`${inProcess.url}/pets`, { headers })
  for (const mock of [served, inProcess]) {
    const [request] = await mock.requests.list()
    expect(request?.request.headers['x-tenant-id']).toBe(mask ? 'acme…' : 'acme-corporation')
  }
})
