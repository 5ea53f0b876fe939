import { adminUrl, baseUrl } from '../../doors/server/base-url.ts'
import type { Refusal } from '../../doors/server/refusals.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { retryAfterMs } from '../../judges/conduct/wait.ts'
import { unmetPreferences } from '../../judges/inspection/view.ts'
import { faultName } from '../../service/call/fault.ts'
import type { Secrets } from '../../service/keys/mask.ts'
import { remaining } from '../../service/limits/limiter.ts'
import type { BannerFacts } from '../terminal/banner.ts'
import { jsonLine } from '../terminal/text.ts'
import { preflightReason } from './request-lines.ts'

export type LogLines = ReturnType<typeof createJsonLog>

export interface LoggedChange {
  readonly at: number
  readonly sandbox: string | undefined
  readonly name: string
  readonly fields: Readonly<Record<string, string>>
}

/** A line of JSON for each event. Unknown fields are left out. */
export function createJsonLog(pid: number, maskKey: Secrets['maskKey']) {
  return {
    /** The first lines, with their line breaks. */
    ready: (facts: BannerFacts) => `${readyLine(facts, pid)}\n`,
    call: (exchange: Exchange) => {
      const { id, sandbox, at, call, reply, trace } = exchange
      const unmet = unmetPreferences(exchange).map(({ text }) => text)
      const { key, plan, limit, code, rules, synthetic } = trace
      const waitMs = retryAfterMs(reply)
      return jsonLine({
        event: 'call',
        id,
        sandbox,
        at: new Date(at).toISOString(),
        method: call.method,
        target: call.target,
        status: reply.status,
        key: key === undefined ? undefined : maskKey(key),
        plan,
        remaining: limit && { minute: remaining(limit.minute), day: remaining(limit.day) },
        code,
        retryAfter: waitMs === undefined ? undefined : waitMs / 1_000,
        rules: rules?.length === 0 ? undefined : rules,
        reason: preflightReason(trace) || undefined,
        unmetPreferences: unmet.length === 0 ? undefined : unmet,
        synthetic: synthetic || undefined,
        delayMs: reply.delayMs,
        fault: reply.fault && faultName(reply.fault),
      })
    },
    /** A request that the server rejected before it became a call. */
    refusal: ({ at, status, code, message, client }: Refusal) =>
      jsonLine({ event: 'refused', at: new Date(at).toISOString(), status, code, message, client }),
    change: ({ at, sandbox, name, fields }: LoggedChange) =>
      jsonLine({ event: 'change', at: new Date(at).toISOString(), sandbox, do: name, ...fields }),
    /** Contract breaches of a call that the log has already shown. */
    breaches: ({ id, sandbox, call: { method, target }, reply: { status }, breaches }: Exchange) =>
      jsonLine({ event: 'contract', id, sandbox, method, target, status, breaches }),
    skipped: (count: number) => jsonLine({ event: 'dropped', calls: count }),
  }
}

/** The first line of the JSON log. It shows the configured keys in full. */
export function readyLine(facts: BannerFacts, pid: number): string {
  const { version, network = [], certificate, linkBase, scenario, config } = facts
  return jsonLine({
    event: 'ready',
    url: baseUrl(facts),
    network: network.length === 0 ? undefined : network.map(host => baseUrl({ ...facts, host })),
    baseUrl: linkBase,
    certificate,
    admin: adminUrl(facts),
    scenario: scenario.name,
    key: scenario.key,
    keys: Object.fromEntries([...scenario.keys].map(([key, { plan }]) => [key, plan])),
    config,
    version,
    pid,
  })
}
