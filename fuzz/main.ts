/*
 * Sends generated inputs to every part that reads what others wrote: `npm run fuzz`. CONTRIBUTING.md says how to use it.
 */
import { performance } from 'node:perf_hooks'
import type { Lane } from './lane.ts'
import { lanes } from './lanes.ts'
import { type Options, readOptions } from './options.ts'
import { type Ended, reportText } from './report.ts'
import { watchLane } from './watch-lane.ts'

const options = readOptions(process.argv.slice(2), lanes)
if ('help' in options) process.stdout.write(`${options.help}\n`)
else if ('problem' in options) {
  process.stderr.write(`${options.problem}\n`)
  process.exitCode = 2
} else await fuzz(options)

async function fuzz({ lanes, seed, path, runs, ms, jobs }: Options): Promise<void> {
  const began = performance.now()
  const all = lanes.reduce((sum, { share }) => sum + share, 0)
  const waiting = [...lanes]
  const ended: Ended[] = []
  const check = async (lane: Lane) => {
    const inputs = Math.max(1, Math.round((runs * lane.share) / all))
    const time = ms === undefined ? undefined : (ms * jobs * lane.share) / all
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
}
