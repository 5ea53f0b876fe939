import { isNotRun, type NotRun } from '../not-run.ts'
import type { Processes } from '../processes.ts'
import { findAutocannon } from './autocannon.ts'
import { findWrk } from './wrk.ts'

export interface SentCall {
  readonly method: 'GET' | 'POST'
  readonly target: string
  readonly key: string
  /** JSON. */
  readonly body?: string
}

/** What is sent, by 64 connections at once, each waiting for its answer. */
export interface Traffic {
  /** Such as `http://127.0.0.1:7387`. */
  readonly origin: string
  /** Sent in turn, again and again. */
  readonly calls: readonly SentCall[]
  readonly seconds: number
  /** True: each call must be answered with a 4xx or 5xx. False: none may be. */
  readonly refused: boolean
}

export interface Volley {
  readonly calls: number
  readonly callsPerSecond: number
  readonly p99Ms: number
}

/** Calls that went wrong: without an answer, and with a 4xx or 5xx. */
export interface Failures {
  readonly unanswered: number
  readonly refused: number
}

export interface Load {
  /** With its version. */
  readonly name: string
  /** Rejects when a call was not answered, or refused against the plan: a refusal is quick. */
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
export function accept(
  volley: Volley,
  { unanswered, refused }: Failures,
  wanted: Pick<Traffic, 'refused'>,
): Volley {
  const failed = unanswered + (wanted.refused ? volley.calls - refused : refused)
  if (failed > 0 || volley.calls === 0) throw new Error(`${failed} of ${volley.calls} calls failed`)
  return volley
}

/** What a client sends for a call. */
export function headersOf({ key, body }: SentCall): Readonly<Record<string, string>> {
  return {
    Authorization: `Bearer ${key}`,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
}
