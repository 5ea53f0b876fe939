/** Numbers for calls that are under way at once, as connections have them over HTTP. */
export interface Lanes {
  /** The one that came free last, or a new one. */
  readonly take: () => number
  readonly release: (lane: number) => void
}

export function createLanes(): Lanes {
  const free: number[] = []
  let made = 0
  return {
    take: () => {
      const lane = free.pop()
      if (lane !== undefined) return lane
      made += 1
      return made
    },
    release: lane => {
      free.push(lane)
    },
  }
}
