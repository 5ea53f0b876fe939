import { formatCount, groupDigits } from '../../base/text/quantities.ts'
import { planTitle, type Quota } from '../../service/plans/plan.ts'
import { lengthOf } from '../replay/advise.ts'
import type { Figures } from './figures.ts'
import type { Fleet } from './fleet.ts'
import { policies } from './policy.ts'
import { simulate } from './simulate.ts'

/** What to do, as a sentence, with the settings that a run proved. */
export interface Advice {
  readonly kind: 'shared' | 'split' | 'plan' | 'instances'
  /** What it is about, in few words. */
  readonly title: string
  readonly text: string
  /** Absent: nothing works. */
  readonly policy?: string
  /** What the limiter, or each limiter of `split`, lets through. */
  readonly quota?: Quota
  readonly plan?: string
  readonly instances?: number
  /** The figures of the run. */
  readonly proof?: Figures
}

/** The parts of the quota that are tried, from large to small. */
const parts = [1, 0.9, 0.75, 0.5, 0.25, 0.1] as const

/** A share that is as good as all: the last jobs of a run have no time. */
export const enough = 0.98

/** `used`: the policies that the user runs, by name, with their figures. */
export async function adviseFleet(
  fleet: Fleet,
  used: ReadonlyMap<string, Figures>,
  mostCalls: number,
): Promise<readonly Advice[]> {
  const run = async (of: Fleet, policy: string, part = 1, untilBanned = true): Promise<Figures> => {
    const create = policies[policy]
    if (create === undefined) throw new RangeError(`there is no policy ${policy}`)
    return (await simulate(of, { name: policy, create, mostCalls, part, untilBanned })).figures
  }
  return [
    await limiterAdvice('shared', fleet, run),
    await limiterAdvice('split', fleet, run),
    ...(await planAdvice(fleet, run)),
    ...(await instancesAdvice(fleet, used, run)),
  ]
}

type Run = (fleet: Fleet, policy: string, part?: number) => Promise<Figures>

function isSafe({ banned, cut, served }: Figures): boolean {
  return banned.count === 0 && cut === undefined && served > 0
}

/** The largest setting of a limiter without a ban, and with the fewest refusals. */
async function limiterAdvice(kind: 'shared' | 'split', fleet: Fleet, run: Run): Promise<Advice> {
  const policy = `bucket-${kind}`
  const title = kind === 'shared' ? 'one limiter for all' : 'a limiter in each'
  const first = fleet.groups[0]
  const own = fleet.scenario.keys.get(first?.key ?? '')?.quota ?? { minute: 0, day: 0 }
  const count = fleet.groups
    .filter(({ key }) => key === first?.key)
    .reduce((all, { instances }) => all + instances, 0)
  const quotaOf = (part: number): Quota => {
    const each = kind === 'shared' ? part : part / count
    return { minute: own.minute * each, day: own.day * each }
  }
  let isAllRefused = true
  let best: { readonly part: number; readonly proof: Figures } | undefined
  for (const part of parts) {
    const proof = await run(fleet, policy, part)
    isAllRefused &&= proof.refused === proof.calls
    if (isSafe(proof) && (best === undefined || proof.served > best.proof.served)) best = { part, proof }
    // A smaller part only serves less.
    if (isSafe(proof) && proof.refused === 0) break
  }
  if (best === undefined) {
    const why = isAllRefused ? 'the service refuses every call' : 'even a tenth of the quota leads to a ban'
    return { kind, title, text: `does not work: ${why}` }
  }
  const { part, proof } = best
  const quota = quotaOf(part)
  const text = `${quotaText(quota)}${kind === 'shared' ? '' : ' each'}: ${outcome(proof)}`
  return { kind, title, policy, quota, proof, text }
}

/** The smallest plan with which one limiter for all serves the demand. */
async function planAdvice(fleet: Fleet, run: Run): Promise<readonly Advice[]> {
  const { scenario, groups } = fleet
  const plans = [...scenario.plans].sort(
    ([, one], [, other]) => one.day - other.day || one.minute - other.minute,
  )
  for (const [plan, quota] of plans) {
    const keys = new Map(scenario.keys)
    for (const { key } of groups) {
      const known = keys.get(key)
      if (known !== undefined) keys.set(key, { ...known, plan, quota })
    }
    const proof = await run({ ...fleet, scenario: { ...scenario, keys } }, 'bucket-shared')
    if (!isSafe(proof) || proof.served < enough) continue
    const text = `${planTitle(plan)} suffices with one limiter for all: ${outcome(proof)}`
    return [{ kind: 'plan', title: 'the smallest plan', plan, policy: 'bucket-shared', quota, proof, text }]
  }
  return [
    { kind: 'plan', title: 'the smallest plan', text: 'none suffices, not even with one limiter for all' },
  ]
}

const mostTries = 100

/** For each policy that led to a ban: with how many instances the same jobs lead to none. */
async function instancesAdvice(
  fleet: Fleet,
  used: ReadonlyMap<string, Figures>,
  run: Run,
): Promise<readonly Advice[]> {
  const [group, ...others] = fleet.groups
  if (group === undefined || others.length > 0) return []
  const advice: Advice[] = []
  const step = Math.ceil(group.instances / mostTries)
  for (const [policy, figures] of used) {
    if (isSafe(figures) || policies[policy] === undefined) continue
    let found: Advice | undefined
    for (let instances = group.instances - step; instances >= 1 && found === undefined; instances -= step) {
      const proof = await run({ ...fleet, groups: [{ ...group, instances }] }, policy)
      if (!isSafe(proof)) continue
      const text = `at most ${groupDigits(instances)} of ${groupDigits(group.instances)} instances are safe for the same jobs: ${outcome(proof)}`
      found = { kind: 'instances', title: policy, policy, instances, proof, text }
    }
    const text = 'no number of instances is safe for these jobs'
    advice.push(found ?? { kind: 'instances', title: policy, text })
  }
  return advice
}

function quotaText({ minute, day }: Quota): string {
  const rate = (count: number, ms: number, unit: string) =>
    count < 1 ? `1 call in ${lengthOf(ms / count)}` : `${formatCount(Math.floor(count), 'call')} ${unit}`
  return `${rate(minute, 60_000, 'a minute')} and ${rate(day, 86_400_000, 'a day')}`
}

function outcome({ served, refused, wanted, quota }: Figures): string {
  const room = quota < wanted ? ` (the quota has room for ${percent(quota / wanted)})` : ''
  const calls = refused === 0 ? 'no call' : formatCount(refused, 'call')
  return `no ban, ${calls} refused, ${percent(served)} of the jobs done${room}`
}

/** `99.2 %`, never rounded to all or nothing. */
export function percent(share: number): string {
  if (share === 0 || share === 1) return `${share * 100} %`
  return `${Math.min(99.9, Math.max(0.1, Math.round(share * 1_000) / 10))} %`
}
