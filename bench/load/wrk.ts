import { fileURLToPath } from 'node:url'
import type { Processes } from '../processes.ts'
import { accept, connections, type Load, newPet, type Traffic } from './load.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

interface WrkReport {
  readonly calls: number
  readonly seconds: number
  readonly p99Us: number
  readonly failed: number
}

/** wrk (https://github.com/wg/wrk), when PATH has it. */
export async function findWrk(processes: Processes): Promise<Load | undefined> {
  const probe = processes.start({ file: 'wrk', args: ['-v'] })
  await probe.ended
  const version = /^wrk \S+/m.exec(probe.said())?.[0]
  if (version === undefined) return undefined
  return { name: version, send: traffic => send(processes, traffic) }
}

async function send(processes: Processes, { url, key, seconds, createEvery }: Traffic) {
  // wrk knows whole seconds only.
  const wholeSeconds = Math.max(1, Math.round(seconds))
  const script = createEvery === undefined ? ['report.lua'] : ['mix.lua']
  const args = ['-t1', `-c${connections}`, `-d${wholeSeconds}s`, '-H', `Authorization: Bearer ${key}`, '-s']
  const forScript = createEvery === undefined ? [] : ['--', String(createEvery), newPet]
  const stdout = await processes.run(
    { file: 'wrk', args: [...args, ...script, url, ...forScript], cwd: here },
    wholeSeconds * 1_000 + 15_000,
  )
  const report: WrkReport = JSON.parse(/^\{.*\}$/m.exec(stdout)?.[0] ?? '')
  const volley = {
    calls: report.calls,
    callsPerSecond: report.calls / report.seconds,
    p99Ms: report.p99Us / 1_000,
  }
  return accept(volley, report.failed)
}
