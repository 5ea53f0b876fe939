import { shippedFixtures } from '../../src/control/fixtures/fixtures.ts'
import { settle } from '../../src/control/scenario/settle/settle.ts'
import { shippedScenarios } from '../../src/control/scenario/shipped.ts'
import { createInProcessTarget } from '../../src/judges/walkthrough/in-process.ts'
import { hasPassed, play } from '../../src/judges/walkthrough/play.ts'
import { shippedWalkthroughs } from '../../src/judges/walkthrough/shipped.ts'

/* Runs in the page, and the emulator with it. */

export interface EnginePage {
  /** Plays the walkthrough of a shipped scenario, and returns its result. */
  playWalkthrough: (name: string) => Promise<string>
}

const page = globalThis as unknown as EnginePage

page.playWalkthrough = async name => {
  const steps = shippedWalkthroughs.get(name) ?? []
  const scenario = settle(name, shippedScenarios.get(name) ?? {}, shippedFixtures)
  const played: Parameters<typeof hasPassed>[1][number][] = []
  for await (const step of play(steps, scenario.key, createInProcessTarget(scenario, shippedFixtures)))
    played.push(step)
  if (hasPassed(steps, played)) return `passed ${steps.length} steps`
  return JSON.stringify(played.filter(({ differences }) => differences.length > 0))
}
