/** Numbers for concurrent calls: they stand for connections. */
export interface Lanes {
  /** The last released number, or a new one. */
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
