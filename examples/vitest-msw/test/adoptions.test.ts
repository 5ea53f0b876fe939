import { HttpResponse, http } from 'msw'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { addPet, LimitReached, listAvailable, listWhenPossible } from '../src/adoptions'
import { describePetService } from './pet-service'

const service = describePetService()
afterEach(() => {
  vi.useRealTimers()
})

describe('a service that is well', () => {
  it('lists what is available', async () => {
    const { key } = service.start()
    const pets = await listAvailable(key)
    expect(pets).toHaveLength(20)
    expect(new Set(pets.map(({ status }) => status))).toEqual(new Set(['available']))
  })

  it('keeps what is added', async () => {
    const { key, pets } = service.start({ scenario: 'empty-store' })
    await addPet(key, 'Rex')
    expect(await listAvailable(key)).toMatchObject([{ name: 'Rex' }])
    expect(await pets.list()).toHaveLength(1)
  })
})

describe('the limit', () => {
  it('is an error of its own, with the wait', async () => {
    const { key, clock } = service.start({ scenario: 'rate-limit-exhaustion' })
    await clock.freeze()
    for (let call = 1; call <= 3; call += 1) await listAvailable(key)
    await expect(listAvailable(key)).rejects.toEqual(new LimitReached(60))
    await clock.advance('60s')
    expect(await listAvailable(key)).toHaveLength(20)
  })

  it('is waited for: with fake timers, in no time', async () => {
    vi.useFakeTimers()
    const { key, requests } = service.start({ scenario: 'retry-after' })
    await listAvailable(key)
    const waiting = listWhenPossible(key)
    await requests.wait({ status: 429 })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await waiting).toHaveLength(20)
    expect(await requests.count({ status: 429 })).toBe(1)
  })

  it('differs from a ban by its length', async () => {
    const { key, clock } = service.start({ scenario: 'ban' })
    await clock.freeze()
    await expect(listAvailable(key)).rejects.toEqual(new LimitReached(300))
  })
})

describe('a service that is not well', () => {
  it('fails for as long as the outage lasts', async () => {
    const { key, clock } = service.start({ scenario: 'outage' })
    await expect(listAvailable(key)).rejects.toThrow('503')
    await clock.advance('30s')
    expect(await listAvailable(key)).toHaveLength(20)
  })

  it('may have added a pet although the connection broke', async () => {
    const { key, pets, rules } = service.start({ scenario: 'empty-store' })
    await rules.add({ match: { operation: 'createPet' }, then: { fault: 'reset' }, times: 1 })
    await expect(addPet(key, 'Rex')).rejects.toThrow(TypeError)
    expect(await pets.list()).toMatchObject([{ name: 'Rex' }])
  })

  it('can have one answer that is none of pet-mock’s', async () => {
    const { key } = service.start()
    const html = http.get('https://api.example.com/v1/pets', () => HttpResponse.html('<h1>A proxy</h1>'))
    service.server.use(html)
    await expect(listAvailable(key)).rejects.toThrow(SyntaxError)
  })
})
