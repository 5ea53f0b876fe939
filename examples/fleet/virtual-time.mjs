import FakeTimers from '@sinonjs/fake-timers'

/** What a limiter uses for the time and for waits. */
const names = ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval']

/**
 * Makes the policy of a limiter for `pet-mock fleet`. `start` makes the limiter of one instance, and returns how it takes a job. Each
 * instance has its own clock. It is in globalThis only while the limiter works, so pet-mock keeps the real one.
 */
export const policyOf =
  start =>
  ({ now }) => {
    const clock = FakeTimers.createClock(Math.ceil(now()))
    const real = Object.fromEntries(names.map(name => [name, globalThis[name]]))
    const fake = Object.fromEntries(names.map(name => [name, clock[name]]))
    const put = globals => Object.assign(globalThis, globals)

    put(fake)
    const take = start()
    put(real)

    /** When the limiter begins a job that it takes at an instant. */
    const beginOf = async from => {
      put(fake)
      try {
        // The last answer may have moved the clock farther than that.
        await clock.tickAsync(Math.max(0, Math.ceil(from - clock.now)))
        let begin
        take(() => {
          begin = clock.now
        })
        while (begin === undefined) await clock.nextAsync()
        // The limiter notes the end of the job by this clock, too.
        await clock.tickAsync(0)
        return begin
      } finally {
        put(real)
      }
    }

    let until = 0
    return {
      next: () => beginOf(Math.max(now(), until)),
      seen: response => {
        if (response.status !== 429) return undefined
        // The next jobs wait as well. The limiter counts the retry, as it counts them.
        until = now() + Number(response.headers['Retry-After'] ?? 1) * 1_000
        return beginOf(until)
      },
    }
  }
