import type { Phase } from '../../../judges/search/search.ts'
import type { TextStream } from '../../terminal/io.ts'
import { createCallBar } from '../../terminal/progress.ts'

/** How often a stream that is no terminal gets a line, in milliseconds. */
const lineEveryMs = 10_000

const phases: Readonly<Record<Phase, string>> = {
  drawing: 'runs: nothing found yet',
  shrinking: 'runs: making what was found smaller',
  repeating: 'runs: repeating what was found',
}

/** Shows how far a search is: a terminal gets one updated line, other streams get a line now and then. */
export function createSearchProgress(stderr: TextStream, most: number, now: () => number) {
  const bar = createCallBar(stderr, most)
  let [runs, phase]: [number, Phase] = [0, 'drawing']
  let writtenAt = now()
  return {
    onRun: () => {
      runs += 1
      if (stderr.columns !== undefined) bar.onCall(runs, phases[phase])
      else if (now() - writtenAt >= lineEveryMs) {
        writtenAt = now()
        stderr.write(`${runs} of at most ${most} ${phases[phase]}\n`)
      }
    },
    onPhase: (next: Phase) => {
      phase = next
    },
    clear: bar.clear,
  }
}
