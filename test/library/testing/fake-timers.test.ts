import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ways } from '../../support/pet-mocks.ts'

/* The clock reads Date when it is asked, so a runner's fake timers move windows and bans as well. */

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-02T12:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

describe.each(ways)('%s', (_name, way) => {
  it('a client that waits as Retry-After says is done at once', async () => {
    const { mock, list, close } = await way({ keys: { 'demo-free': { used: { minute: 59 } } } })
    onTestFinished(close)
    let beginToWait = () => {}
    const waiting = new Promise<void>(resolve => {
      beginToWait = resolve
    })
    const politely = async (): Promise<Response> => {
      const response = await list()
      if (response.status !== 429) return response
      const seconds = Number(response.headers.get('retry-after'))
      const pause = new Promise(resolve => setTimeout(resolve, seconds * 1000))
      beginToWait()
      await pause
      return politely()
    }
    await list()
    const reply = politely()
    await waiting
    await vi.advanceTimersByTimeAsync(60_000)
    expect((await reply).status).toBe(200)
    expect(await mock.requests.count()).toBe(3)
  })

  it('a ban ends in time', async () => {
    const { mock, list, close } = await way('ban')
    onTestFinished(close)
    expect((await list()).headers.get('retry-after')).toBe('300')
    vi.setSystemTime(new Date('2026-03-02T12:06:00Z'))
    expect((await list()).status).toBe(200)
    expect(await mock.clock.now()).toEqual(new Date('2026-03-02T12:06:00Z'))
  })
})
