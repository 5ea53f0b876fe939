import { notJudged } from '../report/judged.ts'

export type Doubts = ReturnType<typeof createDoubts>

/** Counts what nobody can judge, and says why. */
export function createDoubts() {
  let misdated = 0
  let frozen = 0
  let far = 0
  let crowd = 0
  let queued = 0
  const calls = (count: number) => (count === 1 ? '1 call' : `${count} calls`)
  return {
    /** A refusal on a clock that is frozen (`scale` 0) or far from real time. */
    addDate: (scale: number): void => {
      if (scale === 0) frozen += 1
      else far += 1
    },
    /** An early call, or a ban, of a client that may have waited by its own clock. */
    addMisdated: (): void => {
      misdated += 1
    },
    /** A call that another client may have made. */
    addCrowd: (): void => {
      crowd += 1
    },
    /** An early call that may have been wanted before the refusal, and waited for a free connection. */
    addQueued: (): void => {
      queued += 1
    },
    /** `open`: calls that are in doubt until others come. */
    notes: (open: number): readonly string[] => {
      const doubtful = crowd + open
      const clock = frozen > 0 ? 'was frozen' : 'was far from real time'
      return [
        ...(frozen + far + misdated === 0
          ? []
          : [
              notJudged(
                misdated === 0
                  ? 'calls with early-retry, call-during-ban, called-while-limited or banned'
                  : calls(misdated),
                `the clock of pet-mock ${clock} when it refused calls, so a client that compares X-RateLimit-Reset with its own clock cannot wait rightly`,
              ),
            ]),
        ...(queued === 0
          ? []
          : [
              notJudged(
                calls(queued),
                'each came before Retry-After was over while several connections were in use, so it may have waited for a free one since before the refusal',
              ),
            ]),
        ...(doubtful === 0
          ? []
          : [
              notJudged(
                calls(doubtful),
                'each came before Retry-After was over on a new connection, so another process with the same key may have made it',
              ),
            ]),
      ]
    },
  }
}
