import type { ScenarioFile } from '../../control/scenario/file.ts'
import type { Situation } from './situation.ts'

/** Real seconds that the longest wait takes. */
const longestWait = 2

/**
 * A scenario on a clock that is fast enough for its longest wait, or as fast as `scale` says. Without limits, too: some
 * clients wait for X-RateLimit-Reset after any failure.
 */
export function withPace(
  situation: Situation,
  file: ScenarioFile,
  scale = usualScale(situation),
): ScenarioFile {
  return scale === 1 || situation.clock !== undefined ? file : { ...file, clock: { ...file.clock, scale } }
}

function usualScale({ day, ban, banAfter }: Situation): number {
  const minute = 60
  const banned = banAfter === undefined ? minute : 300
  return (day === undefined ? (ban ?? banned) : 86_400) / longestWait
}
