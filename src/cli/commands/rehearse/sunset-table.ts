import type { Emulator } from '../../../emulator/emulator.ts'
import { conductContext } from '../../../judges/conduct/judge-worlds.ts'
import {
  createLifetimeLog,
  type LifetimeCount,
  type LifetimeRow,
} from '../../../judges/rehearsal/lifetime-log.ts'
import { sunsetMoments } from '../../../judges/rehearsal/sunset.ts'
import type { SituationVerdict } from '../../../judges/rehearsal/verdict.ts'
import type { Paint } from '../../terminal/paint.ts'
import { type Cell, cell, tableLines } from '../../terminal/table.ts'

/** Watches the calls of deprecated operations in each moment of --sunset. */
export function watchSunset() {
  const log = createLifetimeLog()
  return {
    watch: (name: string, { observe, sandboxes }: Emulator): void => {
      const moment = sunsetMoments.find(known => known === name)
      if (moment === undefined) return
      const { textOf } = conductContext(sandbox => sandboxes.get(sandbox), sandboxes)
      observe(exchange => log.add(moment, exchange, textOf(exchange)))
    },
    rows: log.rows,
  }
}

export type SunsetWatch = ReturnType<typeof watchSunset>

/** What breaks, by operation and call site. */
export function sunsetLines(
  rows: readonly LifetimeRow[],
  verdicts: readonly SituationVerdict[],
  paint: Paint,
): readonly string[] {
  const moments = sunsetMoments.filter(moment => verdicts.some(({ name }) => name === moment))
  if (rows.length === 0) return ['No call used a deprecated operation: nothing breaks.']
  const breaks = rows.filter(({ at }) => moments.some(moment => at[moment].broken > 0))
  const head = ['operation', 'call site', ...moments].map(text => cell(text, { style: 'dim' }))
  return [
    breaks.length === 0
      ? 'Calls of deprecated operations, which no removal refused:'
      : 'What breaks, by operation and call site:',
    '',
    ...tableLines(
      [
        head,
        ...rows.map(({ operation, site, at }) => [
          cell(operation, { style: 'bold' }),
          cell(site),
          ...moments.map(moment => countCell(at[moment])),
        ]),
      ],
      paint,
    ),
  ]
}

function countCell({ calls, broken }: LifetimeCount): Cell {
  if (calls === 0) return cell('–', { style: 'dim' })
  return broken === 0
    ? cell(`${calls} fine`, { style: 'green' })
    : cell(broken === calls ? `${broken} break` : `${broken} of ${calls} break`, { style: 'red' })
}
