import type { Step } from '../../control/scenario/file.ts'
import { walkthroughs } from '../../generated/walkthroughs.ts'

/** The walkthroughs of the shipped scenarios by name. They are a file of their own because a server needs none. */
export const shippedWalkthroughs: ReadonlyMap<string, readonly Step[]> = new Map(
  Object.entries<readonly Step[]>(walkthroughs).filter(([, steps]) => steps.length > 0),
)
