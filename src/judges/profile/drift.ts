import { isObject } from '../../base/json/is-object.ts'
import { assumedSettings, isLatency, none } from '../../control/profile/assumed.ts'
import { isSame, isWithin } from '../../control/profile/merge.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Line, Profile } from '../../emulator/worlds/scenario.ts'
import type { Finding, Severity } from '../report/finding.ts'
import { judgedFact, type Report, type Unjudged } from '../report/report.ts'
import { commonChecks, settleChecks } from '../report/unjudged.ts'
import kinds from './drift-checks.json' with { type: 'json' }
import { learnFrom } from './learner.ts'

/** What a line of a profile is worth against the service of today. */
type Drift = 'same' | 'changed' | 'contradicted' | 'not-seen' | 'too-old'

type DriftLine = ReturnType<typeof compareProfiles>[number]

/** Compares each line with what was seen now. Latency is no setting, and so no drift. `oldest`: the first day that is not too old. */
export function compareProfiles(before: Profile, now: Profile, oldest: string) {
  return Object.entries(before.learned)
    .filter(([path]) => !isLatency(path))
    .map(([path, old]) => {
      /** Undefined: nothing showed it. */
      const seen = now.learned[path]
      return { path, old, now: seen, drift: driftOf(old, seen, oldest) }
    })
}

function driftOf(old: Line, now: Line | undefined, oldest: string): Drift {
  if (now === undefined) return old.last < oldest ? 'too-old' : 'not-seen'
  if (old.state === 'contradicted' || now.state === 'contradicted') return 'contradicted'
  if (old.shows !== now.shows) return 'changed'
  if (old.state === 'bounded') return now.state === 'bounded' || isWithin(now.value, old) ? 'same' : 'changed'
  if (now.state === 'bounded') return isWithin(old.value, now) ? 'same' : 'changed'
  return isSame(comparable(old.value, now.value), comparable(now.value, old.value)) ? 'same' : 'changed'
}

/** Of an error, the wording counts only if both lines have it. */
function comparable(value: unknown, other: unknown): unknown {
  if (!isObject(value) || !isObject(other)) return value
  const isError = 'code' in value && 'code' in other
  return isError && !('message' in other) ? { code: value.code } : value
}

/** The lines of a second look: a change counts only if it was seen twice. */
export function confirm(first: readonly DriftLine[], second: readonly DriftLine[]): readonly DriftLine[] {
  return first.map(line => {
    const again = second.find(({ path }) => path === line.path)
    if (line.drift !== 'changed' || again === undefined) return line
    const isConfirmed = again.drift === 'changed' && isSame(again.now?.value, line.now?.value)
    return isConfirmed || again.drift !== 'changed' ? { ...again } : { ...line, drift: 'contradicted' }
  })
}

/** The fewest exchanges that still show a line, in their order. */
export function exchangesThatShow(
  { path, now }: DriftLine,
  service: string,
  exchanges: readonly Exchange[],
): readonly Exchange[] {
  const shows = (some: readonly Exchange[]) => {
    const line = learnFrom(service, some).learned[path]
    return line?.shows === now?.shows && isSame([line?.value, line?.state], [now?.value, now?.state])
  }
  return exchanges.reduce<readonly Exchange[]>((kept, one) => {
    const without = kept.filter(other => other !== one)
    return shows(without) ? without : kept
  }, exchanges)
}

export const driftIds = Object.keys(kinds) as readonly Exclude<Drift, 'same'>[]

interface DriftOptions {
  readonly service: string
  readonly calls: number
  readonly notes: readonly string[]
  /** The calls that show a line, for a changed one. */
  readonly evidence: (line: DriftLine) => readonly Exchange[]
}

export function driftReport(lines: readonly DriftLine[], options: DriftOptions): Report {
  const { service, calls, notes, evidence } = options
  const compared = lines.filter(({ drift }) => drift === 'same' || drift === 'changed')
  const nothing: Unjudged = {
    checks: ['changed'],
    count: lines.length,
    what: 'check',
    reason: 'no line of the profile could be compared',
    severity: 'error',
  }
  const findings = driftIds.flatMap((id): readonly Finding[] => {
    const own = lines.filter(({ drift }) => drift === id)
    if (own.length === 0) return []
    const { severity, name, remedy } = kinds[id]
    return [
      {
        id,
        severity: severity as Severity,
        title: `${name}: ${own.map(({ path }) => path).join(', ')}.`,
        remedy,
        source: 'the profile',
        count: own.length,
        evidence: own.flatMap(line => {
          const { path: what, old, now } = line
          if (id !== 'changed') return [{ what, detail: `${show(old)}, seen on ${old.last}` }]
          const calls = evidence(line).slice(-2)
          const shown = calls.map(({ call, reply }) => `  ${call.method} ${call.target} → ${reply.status}`)
          return [
            { what, detail: `${show(old)} until ${old.last}, now ${show(now)}` },
            ...shown.map(text => ({ what: text, detail: '', count: 0 })),
          ]
        }),
      },
    ]
  })
  return {
    judge: 'drift',
    title: `Drift of ${service}`,
    ...settleChecks({
      checks: [...driftIds.map(id => ({ id, title: kinds[id].says })), ...commonChecks],
      findings,
      unjudged: compared.length > 0 ? [] : [nothing],
    }),
    facts: [
      judgedFact(calls, 'call', { none: 'no call was made' }),
      {
        name: 'Lines',
        value: `${compared.length} of ${lines.length} compared, ${lines.filter(({ drift }) => drift === 'same').length} the same`,
      },
    ],
    notes,
    flights: [],
  }
}

/** The value of a line, for people. */
export function show(line: Line | undefined): string {
  if (line === undefined) return 'not seen'
  const { state, value, atLeast, atMost, values, shows } = line
  if (state === 'contradicted') return (values ?? []).map(one => JSON.stringify(one.value)).join(' and ')
  if (state === 'other') return `something that no value describes (${shows})`
  if (state !== 'bounded') return JSON.stringify(value)
  const bounds = Object.entries({ 'at least': atLeast, 'at most': atMost })
  return bounds.flatMap(([word, bound]) => (bound === undefined ? [] : [`${word} ${bound}`])).join(', ')
}

/** The lines whose value is known, and is not what pet-mock does by default. */
export function unusualLines(learned: Profile['learned']): readonly (readonly [path: string, line: Line])[] {
  const usual = new Map(assumedSettings.map(({ path, usual: value }) => [path, value ?? none]))
  return Object.entries(learned).filter(([path, { state, value }]) => {
    if (isLatency(path) || (state !== 'observed' && state !== 'inferred')) return false
    return path.startsWith('errors.') && isObject(value)
      ? path !== `errors.${value.code}`
      : !isSame(value, usual.get(path))
  })
}
