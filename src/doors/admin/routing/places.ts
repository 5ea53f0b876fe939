import type { Lent } from './lent.ts'

/** Frees a place. */
type Release = () => void

/**
 * Places for a number of holders. With all of them taken, a caller waits in line for `waitMs` of real time, and gets
 * undefined if no place became free.
 */
export function createPlaces(
  count: number,
  waitMs: number,
): (after: Lent['after']) => Promise<Release | undefined> {
  let free = count
  const line = new Set<() => void>()
  const take = (): Release => {
    free -= 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      free += 1
      const [first] = line
      first?.()
    }
  }
  return after => {
    if (free > 0) return Promise.resolve(take())
    return new Promise(resolve => {
      const leave = (place: Release | undefined) => {
        line.delete(admit)
        stop()
        resolve(place)
      }
      const admit = () => leave(take())
      const stop = after(waitMs, () => leave(undefined))
      line.add(admit)
    })
  }
}
