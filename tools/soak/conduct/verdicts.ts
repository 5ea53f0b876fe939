import { formatCount } from '../../../src/base/text/quantities.ts'

export interface Seen {
  readonly code: number | null
  readonly findings: readonly Found[]
  readonly unjudged: number
}

export interface Found {
  readonly id: string
  readonly severity: string
  readonly count: number
  readonly text: string
}

export interface Expectation {
  readonly text: string
  readonly holds: (seen: Seen) => boolean
}

const early = new Set(['early-retry', 'called-while-limited', 'call-during-ban'])

const countEarly = ({ findings }: Seen) =>
  findings.filter(({ id }) => early.has(id)).reduce((sum, { count }) => sum + count, 0)

const hasError = ({ findings }: Seen) => findings.some(({ severity }) => severity === 'error')

type Calls = 'same' | 'different'

/** Each early call is a finding. The same call is an error, and so are three other ones. */
export function everyCall(calls: number, which: Calls): Expectation {
  const code = which === 'same' || calls >= 3 ? 1 : 0
  return {
    text: `${formatCount(calls, 'finding')}, exit code ${code}`,
    holds: seen => countEarly(seen) === calls && seen.code === code,
  }
}

/** A finding from the third early call on. One or two may be not judged, visibly. */
export function fromTheThird(calls: number, which: Calls): Expectation {
  const least = Math.max(0, calls - 2)
  // Other calls are an error from the third one that was judged.
  const mustFail = which === 'same' ? calls >= 3 : calls >= 5
  return {
    text: `${least === 0 ? '' : `at least ${formatCount(least, 'finding')}, `}the rest not judged${mustFail ? ', exit code 1' : ''}`,
    holds: seen => {
      const found = countEarly(seen)
      return found >= least && found + seen.unjudged >= calls && (!mustFail || seen.code === 1)
    },
  }
}

/**
 * A finding from the third early call on, or as soon as the client comes back. `several`: the finding says that other
 * processes look the same.
 */
export function ofNewConnections(
  calls: number,
  which: Calls,
  end: 'stops' | 'returns',
  several = false,
): Expectation {
  if (calls < 3 && end === 'stops')
    return {
      text: `no finding, ${calls} not judged, exit code 0`,
      holds: seen => countEarly(seen) === 0 && seen.unjudged === calls && seen.code === 0,
    }
  const mustFail = which === 'same' || calls >= 3
  return {
    text: `${formatCount(calls, 'finding')}${mustFail ? ', exit code 1' : ''}${several ? ', which name several processes' : ''}`,
    holds: seen =>
      countEarly(seen) === calls &&
      (!mustFail || seen.code === 1) &&
      (!several || seen.findings.some(({ id, text }) => early.has(id) && /process/.test(text))),
  }
}

export const noError: Expectation = {
  text: 'no error, exit code 0',
  holds: seen => !hasError(seen) && seen.code === 0,
}

export const warningAtMost: Expectation = {
  text: 'a warning at most, exit code 0',
  holds: noError.holds,
}

export function describeSeen({ code, findings, unjudged }: Seen): string {
  const found = findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ id, severity, count }) => `${count} ${id} (${severity})`)
  return `${found.join(', ') || 'no finding'}, ${unjudged} not judged, exit code ${code}`
}
