import type { Exchange } from '../../../emulator/journal/exchange.ts'
import type { CheckRequest } from '../../../judges/conformance/requests.ts'
import { exchangeOf, type LearnRun, learnService } from '../../../judges/profile/learn-service.ts'
import { bounds, costLines } from '../../../judges/profile/plan.ts'
import type { ValuesOf } from '../../arguments/flag.ts'
import { createHttpClient } from '../../remote/find-server.ts'
import type { Io } from '../../terminal/io.ts'
import { createCallBar, waitVisibly } from '../../terminal/progress.ts'
import { printable } from '../../terminal/text.ts'
import { basePathOf, callOf } from '../check/run.ts'
import type { spendingFlags } from './flags.ts'

type Spending = ValuesOf<typeof spendingFlags>

function allowedBy({ 'allow-writes': writes, exhaust: exhausts, 'own-key-may-be-banned': bans }: Spending) {
  return { writes, exhausts, bans }
}

/** Prints what the calls cost before the first one. */
export function printPlan(values: Spending, service: string, io: Io): void {
  const cost = costLines(allowedBy(values)).map(line => `  ${line}\n`)
  io.stderr.write(`Learning from ${printable(service)}\n${cost.join('')}\n`)
}

const withinMs = 30_000

/** Makes the planned calls. Rejects with Node's system error if nobody reaches the service. */
export async function askService(
  base: URL,
  values: Spending & { readonly key: string },
  io: Io,
  leastLeft?: number,
): Promise<LearnRun> {
  const client = createHttpClient(base)
  const basePath = basePathOf(base)
  const bar = createCallBar(io.stderr, bounds.reading)
  let calls = 0
  let isReached = false
  const send = async (request: CheckRequest): Promise<Exchange | undefined> => {
    calls += 1
    bar.onCall(calls)
    const sentAt = Date.now()
    try {
      const answer = await client.send(callOf(request, basePath, values.key), withinMs)
      isReached = true
      if ('fails' in answer) return undefined
      return exchangeOf(request, answer, values.key, { id: calls, sentAt, answeredAt: Date.now() })
    } catch (error) {
      // Only before its first response is a service that nobody reaches a wrong address.
      if (!isReached || !(error instanceof Error && 'code' in error)) throw error
      return undefined
    }
  }
  const wait = (ms: number, why: string) => waitVisibly(ms, io, why)
  try {
    return await learnService({ ...allowedBy(values), send, now: Date.now, wait, leastLeft })
  } finally {
    bar.clear()
    client.close()
  }
}
