import type { Step } from '../../control/scenario/walkthrough.ts'
import { walkthroughs } from '../../generated/walkthroughs.ts'

/** The stories of the shipped scenarios by name: apart from these, since a server that starts needs none of them. */
export const shippedWalkthroughs: ReadonlyMap<string, readonly Step[]> = new Map(
  Object.entries<readonly Step[]>(walkthroughs).filter(([, steps]) => steps.length > 0),
)
