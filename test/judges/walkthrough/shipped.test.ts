import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { settle } from '../../../src/control/scenario/settle/settle.ts'
import { shippedScenarios } from '../../../src/control/scenario/shipped.ts'
import { createInProcessTarget, withFrozenClock } from '../../../src/judges/walkthrough/in-process.ts'
import { type PlayedStep, play } from '../../../src/judges/walkthrough/play.ts'
import { shippedWalkthroughs } from '../../../src/judges/walkthrough/shipped.ts'
import type { WalkthroughTarget } from '../../../src/judges/walkthrough/target.ts'
import { failures } from '../../../src/service/call/fault.ts'
import { changing } from '../../support/changes.ts'
import { brokenAs, describeDoors, type OpenDoor, type TestRequest } from '../../support/doors.ts'

const walkthroughs = [...shippedWalkthroughs]

function settled(name: string) {
  return settle(name, shippedScenarios.get(name) ?? {}, shippedFixtures)
}

/** The steps that differ. */
async function failedSteps(name: string, target: WalkthroughTarget): Promise<readonly PlayedStep[]> {
  const played: PlayedStep[] = []
  for await (const step of play(shippedWalkthroughs.get(name) ?? [], settled(name).key, target))
    played.push(step)
  expect(played).toHaveLength(shippedWalkthroughs.get(name)?.length ?? -1)
  return played.filter(({ differences, unjudged, impossible }) =>
    [...differences, ...unjudged, impossible].some(thing => thing !== undefined),
  )
}

function targetOf({ emulator, send }: OpenDoor): WalkthroughTarget {
  const change = changing(emulator)
  const done = (outcome: ReturnType<typeof change>) =>
    outcome.ok ? ({ ok: true } as const) : ({ ok: false, impossible: outcome.refusal.message } as const)
  return {
    call: async ({ method, target, headers, body }) => {
      const request: TestRequest = {
        method,
        target,
        key: null,
        headers: headers.flatMap((name, at) =>
          at % 2 === 0 ? [[name, headers[at + 1] ?? ''] as const] : [],
        ),
        ...(body !== undefined && { body }),
      }
      try {
        return await send(request)
      } catch (error) {
        const fails = failures.find(name => error instanceof Error && error.message === brokenAs[name])
        if (fails === undefined) throw error
        return { fails }
      }
    },
    advance: ms => done(change({ do: 'advanceClock', by: `${ms}ms` })),
    change: command => done(change(command)),
    cannotJudge: () => undefined,
  }
}

test('every shipped scenario has a walkthrough', () => {
  expect(new Set(walkthroughs.map(([name]) => `${name}.yaml`))).toEqual(new Set(readdirSync('scenarios')))
})

/** Their Retry-After is what the contract does not allow. */
const breakContract: ReadonlySet<string> = new Set(['retry-after-hostile', 'retry-after-zoo'])

describeDoors('the walkthrough of a shipped scenario passes', open => {
  test.each(walkthroughs)('%s', async name => {
    const keepsContract = !breakContract.has(name)
    const door = await open({ scenario: withFrozenClock(settled(name)), keepsContract })
    expect(await failedSteps(name, targetOf(door))).toEqual([])
  })
})

test.each(walkthroughs)('%s passes in process', async name => {
  expect(await failedSteps(name, createInProcessTarget(settled(name), shippedFixtures))).toEqual([])
})
