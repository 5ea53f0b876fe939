import { isNotRun, type NotRun } from '../not-run.ts'
import type { Processes } from '../processes.ts'
import { findAutocannon } from './autocannon.ts'
import { findWrk } from './wrk.ts'

/** What is sent, by 64 connections at once, each waiting for its answer. */
export interface Traffic {
  readonly url: string
  readonly key: string
  readonly seconds: number
  /** Every n-th call creates a pet; absent: all of them read. */
  readonly createEvery?: number
}

export interface Volley {
  readonly calls: number
  readonly callsPerSecond: number
  readonly p99Ms: number
}

export interface Load {
  /** With its version. */
  readonly name: string
  /** Rejects when any call was not answered, or with a 4xx or 5xx: a refusal is quick, and counts for nothing. */
  readonly send: (traffic: Traffic) => Promise<Volley>
}

export type LoadName = 'wrk' | 'autocannon'

export const connections = 64
export const newPet = '{"name":"Rex","categoryId":1,"status":"available"}'

/** wrk where it is installed: it takes little of a core that servers could use. Else autocannon. */
export async function findLoad(
  processes: Processes,
  peers: string | NotRun,
  wanted: LoadName | undefined,
): Promise<Load | NotRun> {
  const wrk = wanted === 'autocannon' ? undefined : await findWrk(processes)
  if (wrk !== undefined) return wrk
  if (wanted === 'wrk') return { notRun: 'wrk is not installed' }
  return isNotRun(peers)
    ? { notRun: `neither wrk nor autocannon is installed: ${peers.notRun}` }
    : findAutocannon(processes, peers)
}

/** The result, unless some calls failed. */
export function accept(volley: Volley, failed: number): Volley {
  if (failed > 0 || volley.calls === 0) throw new Error(`${failed} of ${volley.calls} calls failed`)
  return volley
}
