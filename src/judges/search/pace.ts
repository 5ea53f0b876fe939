import type { ScenarioFile } from '../../control/scenario/file.ts'
import { shippedPlans } from '../../service/plans/plan.ts'
import type { Situation } from './situation.ts'

/** Real seconds that the longest wait takes. */
const usualWait = 2

/** A scenario on a clock that is fast enough for its longest wait, or as fast as `scale` says. `calls`: of the client. */
export function withPace(
  situation: Situation,
  file: ScenarioFile,
  calls: number,
  scale = usualScale(situation, calls),
): ScenarioFile {
  return scale === 1 || situation.clock !== undefined ? file : { ...file, clock: { ...file.clock, scale } }
}

function usualScale({ minute, day, ban, banAfter }: Situation, calls: number): number {
  if (day !== undefined) return 86_400 / usualWait
  if (ban !== undefined) return ban / usualWait
  if (banAfter !== undefined) return 300 / usualWait
  return minute !== undefined || calls >= shippedPlans.free.minute ? 60 / usualWait : 1
}
