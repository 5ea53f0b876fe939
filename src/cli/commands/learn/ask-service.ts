import type { Exchange } from '../../../emulator/journal/exchange.ts'
import type { CheckRequest } from '../../../judges/conformance/requests.ts'
import { exchangeOf, type LearnRun, learnService } from '../../../judges/profile/learn-service.ts'
import { bounds, costLines } from '../../../judges/profile/plan.ts'
import type { ValuesOf } from '../../arguments/flag.ts'
import { createHttpClient } from '../../remote/find-server.ts'
import type { Io } from '../../terminal/io.ts'
import { printable } from '../../terminal/printable.ts'
import { createCallBar, waitVisibly } from '../../terminal/progress.ts'
import { callOf } from '../check/run.ts'
import type { spendingFlags } from './flags.ts'

type Spending = ValuesOf<typeof spendingFlags>

export function allowedBy(values: Spending) {
  return {
    writes: values['allow-writes'],
    exhausts: values.exhaust,
    bans: values['own-key-may-be-banned'],
  }
}

/** Prints what the calls cost before the first one. */
export function printPlan(values: Spending, service: string, io: Io): void {
  const lines = [
    `Learning from ${printable(service)}`,
    ...costLines(allowedBy(values)).map(line => `  ${line}`),
  ]
  io.stderr.write(`${lines.join('\n')}\n\n`)
}

export function serviceOf({ origin, pathname }: URL): string {
  return `${origin}${pathname === '/' ? '' : pathname}`
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
  const basePath = base.pathname === '/' ? '' : base.pathname
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
      return 'fails' in answer
        ? undefined
        : exchangeOf(request, answer, values.key, { id: calls, sentAt, answeredAt: Date.now() })
    } catch (error) {
      // Only before its first response is a service that nobody reaches a wrong address.
      if (!isReached || !(error instanceof Error && 'code' in error)) throw error
      return undefined
    }
  }
  try {
    return await learnService({
      ...allowedBy(values),
      send,
      now: Date.now,
      wait: (ms, why) => waitVisibly(ms, io, why),
      leastLeft,
    })
  } finally {
    bar.clear()
    client.close()
  }
}
