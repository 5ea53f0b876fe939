import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { plainEnvironment } from '../program/pet-mock.ts'
import { cpuTime } from '../program/proc.ts'
import type { LaneResult, Wanted } from './check-lane.ts'

/**
 * Milliseconds of CPU time without a new case until a lane counts as hanging. A busy machine gives it little of that; a
 * case that only waits ends itself.
 */
const hangMs = 90_000

/**
 * Checks a lane in a process of its own, so that an endless loop or a crash there is found, too. `module`: its export
 * `lanes` has the lane.
 */
export async function watchLane(
  module: string,
  name: string,
  wanted: Wanted,
  quietMs = hangMs,
): Promise<LaneResult> {
  const began = performance.now()
  const child = start(module, name, wanted)
  let started = -1
  let result: LaneResult | undefined
  let isHanging = false
  let stderr = ''
  let since = 0
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const cpuMs = () => (isOver() ? since : (cpuTime(child.pid) ?? performance.now()))
  const timer = setInterval(() => {
    if (cpuMs() - since < quietMs) return
    isHanging = true
    child.kill('SIGKILL')
  }, 500)
  child.stderr?.on('data', chunk => {
    stderr = (stderr + chunk).slice(-4_000)
  })
  child.on('message', (message: { started?: number; result?: LaneResult }) => {
    since = cpuMs()
    started = message.started ?? started
    result = message.result ?? result
  })
  const stop = () => child.kill('SIGKILL')
  process.once('exit', stop)
  const [code, signal] = await once(child, 'close')
  clearInterval(timer)
  process.off('exit', stop)
  if (result !== undefined) return result
  const how = isHanging
    ? `No case ended within ${quietMs / 1_000} s of CPU time: it hangs.`
    : `The process of the lane ended with ${signal ?? `exit code ${code}`}:\n${stderr.trim()}`
  const path = started < 0 ? undefined : (wanted.path ?? `${started}`)
  const failure = { problem: how, input: 'not known: the process is gone', path }
  return { cases: started, inputs: 0, ms: performance.now() - began, samples: [], failure }
}

function start(module: string, name: string, wanted: Wanted): ChildProcess {
  return fork(
    fileURLToPath(new URL('lane-process.ts', import.meta.url)),
    [module, name, JSON.stringify(wanted)],
    {
      execArgv: ['--import', import.meta.resolve('tsx')],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: plainEnvironment(),
    },
  )
}
