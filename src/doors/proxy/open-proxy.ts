import { isLoopback } from '../../base/text/loopback.ts'
import { createHostGuard } from '../../emulator/gates/api-address.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import type { GuardOptions } from '../admin/guard.ts'
import { openHttpDoor } from '../server/http-door.ts'
import type { Refusal } from '../server/refusals.ts'
import { version } from '../server/version.ts'
import { createCaptures } from './captured-bodies.ts'
import { createForward } from './forwarded-call.ts'
import { type AnswerOptions, createProxyAnswers } from './proxy-answers.ts'
import { createProxyRules } from './proxy-rules.ts'
import { mostJudged } from './read-proxied-call.ts'
import { createUpstream } from './upstream.ts'
import { createProxyVerdicts, type ProxyLog, type VerdictOptions } from './verdicts.ts'

interface ProxyOptions
  extends Pick<
      VerdictOptions,
      'loadContract' | 'hasOwnContract' | 'judgesContract' | 'plan' | 'journal' | 'secrets' | 'record'
    >,
    Pick<GuardOptions, 'allowedHosts' | 'token'> {
  readonly upstream: URL
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly scenario?: Pick<Scenario, 'rules' | 'seed' | 'keys'> | undefined
  readonly cors: AnswerOptions['cors']
  readonly rewriteLinks: boolean
  readonly log: ProxyLog & { readonly refusal: (refusal: Refusal) => void }
}

export type OpenProxy = Awaited<ReturnType<typeof openProxy>>

/** Bytes that the bodies of all calls under way may take. */
const mostInAll = 16 * 2 ** 20

/** Rejects with Node's system error if it cannot listen. */
export async function openProxy(options: ProxyOptions) {
  const { allowedHosts, token, log, scenario } = options
  const { origin, pathname } = options.upstream
  const base = pathname === '/' ? '' : pathname
  const verdicts = createProxyVerdicts({ ...options, origin, base, noticesLinks: !options.rewriteLinks })
  const upstream = createUpstream(options.upstream)
  try {
    const door = await openHttpDoor({
      forward: createForward({
        upstream,
        capture: createCaptures(mostJudged, mostInAll),
        checkHost: createHostGuard(allowedHosts),
        onProxiedCall: verdicts.add,
        onGivenUp: verdicts.addGivenUp,
        onRefusal: log.refusal,
        answers: createProxyAnswers({ ...options, onNotice: log.notice }, options.upstream),
        rules: scenario && createProxyRules(scenario, base, Date.now()),
      }),
      host: options.host,
      port: options.port,
      // The service decides how long a body may take.
      timeouts: { headersMs: 10_000, requestMs: 0 },
      admin: async address => {
        const { createProxyPlane } = await import('./proxy-plane.ts')
        const isExposed = !isLoopback(address)
        return createProxyPlane({ ...verdicts, origin, version, allowedHosts, token, isExposed })
      },
      onError: log.failure,
      onRefusal: log.refusal,
    })
    const close = async (graceMs: number) => {
      await door.close(graceMs)
      upstream.close()
    }
    return {
      door,
      close,
      /** Resolves with the reports on conduct, contract and service when every call is judged. */
      reports: verdicts.end,
    }
  } catch (error) {
    upstream.close()
    throw error
  }
}
