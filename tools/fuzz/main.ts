/*
 * Sends generated inputs to every part that reads what others wrote: `npm run fuzz`. CONTRIBUTING.md says how to use it.
 */
import { performance } from 'node:perf_hooks'
import { parseDuration } from '../../src/base/time/duration.ts'
import { matching, readBy, runTool, WrongUse, wholeNumber } from '../program/flags.ts'
import type { Lane } from './lane.ts'
import { lanes as all } from './lanes.ts'
import { type Ended, reportText } from './report.ts'
import { watchLane } from './watch-lane.ts'

const duration = readBy('T', 'a duration such as 90s or 15m', text => parseDuration(text) || undefined)

const tool = {
  name: 'fuzz',
  about: `Sends generated inputs to every part that reads what others wrote. Without a name, to all.
Exit codes: 0 nothing found, 1 something found, 2 wrong usage.`,
  words: { noun: 'lane', all },
  flags: {
    runs: wholeNumber(1)('inputs of all lanes together, in fixed shares', 1_000_000),
    time: duration('draws as many inputs as there is time for', undefined),
    seed: wholeNumber(-(2 ** 31), 2 ** 31)('repeats a run: a failure prints it', undefined),
    path: matching(
      'P',
      'what a failure printed',
      /^\d+(?::\d+)*$/,
    )('repeats a single case of one lane, with --seed', undefined),
    jobs: wholeNumber(1)('lanes that run at the same time', 2),
  },
} as const

await runTool(tool, async ({ runs, time: ms, path, jobs, ...asked }, words) => {
  if (path !== undefined && (words.length !== 1 || asked.seed === undefined))
    throw new WrongUse('--path needs one lane and its --seed')
  const seed = asked.seed ?? Math.floor(Math.random() * 2 ** 31)
  const lanes = all.filter(({ name }) => words.length === 0 || words.includes(name))
  const began = performance.now()
  const shares = lanes.reduce((sum, { share }) => sum + share, 0)
  const waiting = [...lanes]
  const ended: Ended[] = []
  const check = async (lane: Lane) => {
    const inputs = Math.max(1, Math.round((runs * lane.share) / shares))
    const time = ms === undefined ? undefined : (ms * jobs * lane.share) / shares
    const result = await watchLane(new URL('lanes.ts', import.meta.url).href, lane.name, {
      seed,
      path,
      inputs,
      ms: time,
    })
    ended.push({ lane, seed, inputs, result })
    process.stderr.write(
      `${lane.name}: ${result.inputs} inputs, ${result.failure === undefined ? 'nothing found' : 'FAILED'}\n`,
    )
  }
  const work = async () => {
    for (let lane = waiting.shift(); lane !== undefined; lane = waiting.shift()) await check(lane)
  }
  process.stderr.write(`seed ${seed}\n`)
  await Promise.all(Array.from({ length: jobs }, work))
  const inOrder = ended.toSorted((one, other) => lanes.indexOf(one.lane) - lanes.indexOf(other.lane))
  const seconds = ((performance.now() - began) / 1_000).toFixed(0)
  process.stdout.write(`${reportText(inOrder)}\n\nSeed ${seed}, ${seconds} s, Node ${process.version}.\n`)
  process.exitCode = inOrder.some(({ result }) => result.failure !== undefined) ? 1 : 0
})
