import type { Evidence, Finding, Severity } from '../report/finding.ts'
import { judgedFact, type Report } from '../report/report.ts'
import { commonChecks, settleChecks } from '../report/unjudged.ts'
import { quotaOf } from './answers.ts'
import { CheckRun, type Part } from './check-run.ts'
import { type CheckId, checkIds, checks, remedyOf, situations } from './checks.ts'
import { judgeCounts, judgeEarly, judgeResets } from './counts.ts'
import { exhaust } from './exhaustion.ts'
import { filter, filteredPages, firstList, pageSize, pages } from './lists.ts'
import * as others from './other-requests.ts'
import { animals, creating, forms, names, refusals } from './pets.ts'
import { curlOf, sizeOf, targetOf } from './requests.ts'
import { type CheckOptions, OnlyReserve, OutOfBudget } from './sender.ts'

export type CheckOutcome = Awaited<ReturnType<typeof checkService>>

/** By value: first what breaks clients, last where services may differ. */
const parts: readonly Part[] = [
  ...[
    firstList,
    others.authentication,
    pageSize,
    filter,
    pages,
    animals,
    creating,
    refusals,
    filteredPages,
    names,
  ],
  others.unanswered,
  ...[others.queries, others.orders, forms, others.routes, others.generatedReads, others.generatedWrites],
  others.unanswered,
  exhaust,
]

/** Checks a service. The same seed sends the same requests. */
export async function checkService(options: CheckOptions) {
  const { judge, exhausts, allowsWrites, plan } = options
  const run = new CheckRun(options)
  const leftOut: string[] = []
  if (!allowsWrites)
    leftOut.push('createPet: to test it, add --allow-writes (the new animals cannot be deleted)')
  if (!exhausts) leftOut.push('429: to test it, add --exhaust (uses up the quota)')
  const isAllowed = ({ needs }: Part) =>
    needs === undefined || (needs === '--exhaust' ? exhausts : allowsWrites)
  const ended = await act(run, parts.filter(isAllowed))
  const isAll = ended?.parts[0] === firstList
  if (ended !== undefined) {
    const isAbout = (part: Part) => part !== others.unanswered || run.sender.unanswered.length > 0
    const names = ended.parts.filter(isAbout).map(({ name }) => name)
    leftOut.push(`${isAll ? 'everything' : names.join(', ')}: incomplete, because ${ended.reason}`)
  }
  judgeCounts(run.history.all, quotaOf(plan), run.ledger)
  judgeEarly(run.history.all, plan === 'enterprise' ? undefined : quotaOf(plan), run.ledger)
  judgeResets(run.history.all, quotaOf(plan), run.ledger)
  const documented = judge.operations.flatMap(({ id, statuses }) =>
    statuses.filter(status => status !== 'default').map(status => `${id} ${status}`),
  )
  return {
    calls: run.budget.calls,
    availability: run.sender.availability,
    failed: run.ledger.failed,
    failures: run.ledger.failures.failures(),
    checked: run.ledger.checked,
    /** Every check that was not made, or not judged. */
    notChecked: notChecked(run, ended),
    /** Documented responses that came, and those that did not: `listPets 200`. */
    seen: documented.filter(response => run.seen.has(response)),
    unseen: documented.filter(response => !run.seen.has(response)),
    leftOut,
    /** Not one list came before the run ended, so nothing says that the service works. */
    hasNothing: isAll,
  }
}

interface Ended {
  readonly reason: string
  readonly parts: readonly Part[]
}

/** Acts until no calls or no time is left: then says why, and which parts are incomplete. */
async function act(run: CheckRun, all: readonly Part[]): Promise<Ended | undefined> {
  let ended: Ended | undefined
  for (const part of all) {
    if (ended !== undefined && part !== exhaust) continue
    run.sender.lost = undefined
    try {
      await part.act(run)
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error
      const isLast = !(error instanceof OnlyReserve)
      const parts = all.slice(all.indexOf(part)).filter(part => isLast || part !== exhaust)
      ended = { reason: error.message, parts: [...(ended?.parts ?? []), ...parts] }
      if (isLast) return ended
    } finally {
      // What a part did not come to check because of a lost answer is not judged.
      const { lost } = run.sender
      for (const id of part.makes)
        if (lost !== undefined && !run.ledger.checked.has(id)) run.ledger.leaveOpen(id, lost)
    }
  }
  return ended
}

/** A check that was not made, or whose outcome is open, and why. */
type NotChecked = ReturnType<typeof notChecked>[number]

/**
 * Every check without an outcome. `ended` says why the run ended early, and which parts it left out. A reason is a sentence
 * without its full stop. Unjudged: it was planned, and the run could not finish it. Else the user left it out, or the run did not
 * come to it.
 */
function notChecked({ ledger, options }: CheckRun, ended: Ended | undefined) {
  const without = (id: CheckId) => {
    const notMet = (reason: string) => ({ reason, isUnjudged: false })
    const part = parts.find(({ makes }) => makes.includes(id))
    if (part?.needs === '--allow-writes' && !options.allowsWrites)
      return notMet('nobody can delete new animals; --allow-writes creates some')
    if (part?.needs === '--exhaust' && !options.exhausts)
      return notMet('--exhaust uses up the quota to check it')
    const situation = situations[id]
    if (situation !== undefined) return notMet(situation)
    if (ended !== undefined && (part === undefined || ended.parts.includes(part)))
      return { reason: ended.reason, isUnjudged: true }
    return notMet('no response showed it')
  }
  return checkIds.flatMap((id: CheckId) => {
    const open = ledger.open.get(id)
    if (open !== undefined) return [{ id, reason: open, isUnjudged: true }]
    if (ledger.checked.has(id)) return []
    const unmade = ledger.unmade.get(id)
    return [{ id, ...(unmade === undefined ? without(id) : { reason: unmade, isUnjudged: false }) }]
  })
}

interface ReportOptions {
  readonly base: string
  readonly plan: string
  readonly seed: number
  /** Whether a failed assumption is an error. */
  readonly isStrict: boolean
  /** Masks the key and other secrets in a text. */
  readonly mask: (text: string) => string
}

/** The report of a run, with every check that was made and a finding for each that failed. */
export function reportOf(outcome: CheckOutcome, options: ReportOptions): Report {
  const { base, plan, seed, mask } = options
  const { calls, failed, failures, checked, notChecked, seen, unseen, leftOut, hasNothing } = outcome
  const made = checkIds.filter(id => checked.has(id))
  const open = new Set(notChecked.flatMap(({ id, isUnjudged }) => (isUnjudged ? [id] : [])))
  const failedIds = [...new Set(failed.map(({ check }) => check))]
  const missing =
    unseen.length === 0 ? [] : [`Documented responses that were not seen: ${unseen.join(', ')}.`]
  const masked = ({ what, detail }: Evidence) => ({ what: mask(what), detail: mask(detail) })
  const planned = checkIds.filter(id => checked.has(id) || open.has(id))
  const listed = planned.map(id => ({ id, title: `${checks[id].says} (${checks[id].source})` }))
  const settled = settleChecks({
    checks: [...listed, ...commonChecks],
    findings: [
      ...failures.map(one => ({ ...one, evidence: one.evidence.map(masked) })),
      ...failedIds.map(id => findingOf(id, outcome, options)),
    ],
    unjudged: byReason(notChecked, true).map(({ reason, ids }) => ({
      checks: ids,
      count: ids.length,
      what: 'check',
      reason: mask(reason),
      ...(hasNothing && { severity: 'error' as const }),
    })),
  })
  const passed = made.filter(id => !failedIds.includes(id) && !open.has(id))
  // What the user left out, or the run did not come to.
  const notMade = byReason(notChecked, false).map(
    ({ reason, ids }) => `Not made (${ids.join(', ')}): ${reason}.`,
  )
  return {
    judge: 'check',
    title: `Check of ${mask(base)}`,
    ...settled,
    facts: [
      judgedFact(calls, 'call', { about: ` (plan ${plan}, seed ${seed})`, none: 'no call was made' }),
      { name: 'Checks', value: `${made.length} of ${checkIds.length} made, ${passed.length} passed` },
      { name: 'Responses', value: `${seen.length} of ${seen.length + unseen.length} documented ones seen` },
    ],
    notes: [...missing, ...leftOut.map(note => `Left out: ${note}.`), ...notMade].map(mask),
    flights: [],
  }
}

function byReason(notChecked: readonly NotChecked[], isUnjudged: boolean) {
  const all = notChecked.filter(one => one.isUnjudged === isUnjudged)
  return [...new Set(all.map(({ reason }) => reason))].map(reason => ({
    reason,
    ids: all.filter(one => one.reason === reason).map(({ id }) => id),
  }))
}

export function severityOf(id: CheckId, { availability }: CheckOutcome, isStrict: boolean): Severity {
  if (id === 'availability') return availability.severity
  return isStrict ? 'error' : checks[id].severity
}

function findingOf(id: CheckId, outcome: CheckOutcome, { base, isStrict, mask }: ReportOptions): Finding {
  const { says, source } = checks[id]
  const { failed, availability } = outcome
  const basePath = new URL(base).pathname.replace(/\/$/, '')
  const shown = failed
    .filter(({ check }) => check === id)
    .toSorted((a, b) => sizeOf(a.request) - sizeOf(b.request))
  return {
    id,
    severity: severityOf(id, outcome, isStrict),
    title: `Broken: ${says}.`,
    remedy: id === 'availability' ? mask(availability.about) : remedyOf(id),
    source,
    count: shown.reduce((sum, { count }) => sum + count, 0),
    evidence: shown.map(({ request, status, detail }) => ({
      what: mask(`${request.method} ${targetOf(request, basePath)} → ${status ?? 'no response'}`),
      detail: mask(detail),
      curl: curlOf(request, base, mask),
    })),
  }
}
