import { expect, test } from 'vitest'
import type { Reply } from '../../src/service/call/call.ts'
import type { Lane } from '../../tools/fuzz/lane.ts'
import { coreLane, fetchLane } from '../../tools/fuzz/lanes/core.ts'
import { contractLane, harLane } from '../../tools/fuzz/lanes/documents.ts'
import { fixtureLane, scenarioLane, stateLane } from '../../tools/fuzz/lanes/files.ts'
import { httpLane } from '../../tools/fuzz/lanes/http.ts'
import { mangledLane } from '../../tools/fuzz/lanes/mangled.ts'
import { planeLane } from '../../tools/fuzz/lanes/plane.ts'
import { type Plant, startPlanted } from './planted-server.ts'

/** The first failure of a few cases, without a search for a smaller one. */
async function failureOf(lane: Lane, numRuns: number): Promise<string | undefined> {
  const session = await lane.open()
  let inputs = 0
  try {
    const { failure } = await session.check({ seed: 1, numRuns, endOnFailure: true }, async run => {
      inputs += await run()
    })
    return failure?.problem ?? (inputs < numRuns ? `only ${inputs} inputs` : undefined)
  } finally {
    await session.close()
  }
}

const sound: Plant = reply => reply

test.each<[lane: string, cases: number, lane: Lane]>(
  [
    [httpLane(startPlanted(sound)), 5] as const,
    [mangledLane(startPlanted(sound)), 4] as const,
    [planeLane(startPlanted(sound)), 2] as const,
    [coreLane, 15] as const,
    [fetchLane, 4] as const,
    [scenarioLane, 6] as const,
    [fixtureLane, 8] as const,
    [stateLane, 12] as const,
    [contractLane, 8] as const,
    [harLane, 30] as const,
  ].map(([lane, cases]) => [lane.name, cases, lane]),
)('%s: %i cases find nothing', async (_name, cases, lane) => {
  expect(await failureOf(lane, cases)).toBeUndefined()
})

const refusal = (reply: Reply, status: number, body: string): Reply => ({
  status,
  headers: { ...reply.headers, 'Content-Type': 'application/json', 'Content-Length': `${body.length}` },
  body,
})

test.each<[fault: string, plant: Plant, problem: RegExp]>([
  [
    'a crash',
    () => {
      throw new Error('planted')
    },
    /^A failure: 500 /,
  ],
  [
    'a 503',
    reply => refusal(reply, 503, '{"code":"x","message":"It failed.","status":503}'),
    /^A failure: 503 /,
  ],
  [
    'an answer outside the Error shape',
    reply => (reply.status === 404 ? refusal(reply, 404, '{"error":"not found"}') : reply),
    /^An answer outside the Error shape: 404 /,
  ],
])('finds %s', async (_fault, plant, problem) => {
  expect(await failureOf(httpLane(startPlanted(plant)), 8)).toMatch(problem)
})
