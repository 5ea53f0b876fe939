import { overlay } from '../../control/scenario/extend.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { shippedScenarios } from '../../control/scenario/shipped.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { clip } from '../../service/call/echo.ts'
import { replyHeader } from '../../service/call/headers.ts'
import type { ShowText } from '../inspection/conceal.ts'
import { callSite } from '../inspection/view.ts'
import type { Cell, Table } from '../report/report.ts'
import { callOf } from './recovery.ts'
import declarations from './sunset.json' with { type: 'json' }

/** The life of a deprecated operation, as a client meets it. */
export const sunsetMoments = ['today', 'announced', 'brown-out', 'day-before', 'day-after'] as const
export type SunsetMoment = (typeof sunsetMoments)[number]

/** Only a client that still works is ready. */
const expected: ScenarioFile = { rehearsal: { expects: 'success' } }

/**
 * The situations of the preset, in the order of time: each changes a shipped scenario. The brown-out lasts all day, which takes 48
 * minutes, so that no run outlasts it.
 */
export function sunsetSituations(): readonly { readonly name: SunsetMoment; readonly file: ScenarioFile }[] {
  return sunsetMoments.map(name => {
    const { from, ...change }: ScenarioFile & { readonly from: string } = declarations[name]
    const file = overlay(overlay(shippedScenarios.get(from) ?? {}, change), expected)
    return { name, file }
  })
}

/** The calls of a deprecated operation from one place in the client's code. */
export interface LifetimeRow {
  /** `GET /pets/{petId}` */
  readonly operation: string
  /** From X-Call-Site, Referer or User-Agent. */
  readonly site: string
  readonly at: Readonly<Record<SunsetMoment, LifetimeCount>>
}

interface LifetimeCount {
  readonly calls: number
  /** Answered as if the operation were removed. */
  readonly broken: number
}

const none = { calls: 0, broken: 0 }
const noCalls = { today: none, announced: none, 'brown-out': none, 'day-before': none, 'day-after': none }
const mostRows = 500
const otherSites = 'other call sites'

/** Counts the calls of deprecated operations over several runs. Its memory is bounded. */
export function createLifetimeLog() {
  const rows = new Map<string, LifetimeRow>()
  return {
    add: (moment: SunsetMoment, exchange: Exchange, text: ShowText): void => {
      const { call, reply, trace } = exchange
      const isBroken = trace.code === 'endpoint_removed'
      if (!isBroken && replyHeader(reply, 'sunset') === undefined) return
      const operation = callOf(exchange, '')
      const own = clip(callSite(call, text))
      const site = rows.has(`${operation} ${own}`) || rows.size < mostRows ? own : otherSites
      const name = `${operation} ${site}`
      const row: LifetimeRow = rows.get(name) ?? { operation, site, at: noCalls }
      const { calls, broken } = row.at[moment]
      const count = { calls: calls + 1, broken: broken + (isBroken ? 1 : 0) }
      rows.set(name, { ...row, at: { ...row.at, [moment]: count } })
    },
    /** What breaks most comes first. */
    rows: (): readonly LifetimeRow[] =>
      [...rows.values()].toSorted((one, other) => brokenOf(other) - brokenOf(one)),
  }
}

function brokenOf({ at }: LifetimeRow): number {
  return sunsetMoments.reduce((sum, moment) => sum + at[moment].broken, 0)
}

/** What breaks, by operation and call site, in the order of time. */
export function lifetimeTable(rows: readonly LifetimeRow[]): Table {
  const breaks = rows.some(row => brokenOf(row) > 0)
  return {
    title: 'Deprecated operations',
    about:
      rows.length === 0
        ? 'No call of this run used a deprecated operation, so nothing broke in it.'
        : breaks
          ? 'What breaks, by operation and call site:'
          : 'Calls of deprecated operations, which no removal refused:',
    heads: ['Operation', 'Call site', ...sunsetMoments],
    rows: rows.map(({ operation, site, at }) => ({
      name: operation,
      cells: [{ text: site }, ...sunsetMoments.map(moment => showCount(at[moment]))],
    })),
    lines: [],
  }
}

function showCount({ calls, broken }: LifetimeCount): Cell {
  if (calls === 0) return { text: '–' }
  if (broken === 0) return { text: `${calls} fine` }
  return { text: broken === calls ? `${broken} break` : `${broken} of ${calls} break`, isWrong: true }
}
