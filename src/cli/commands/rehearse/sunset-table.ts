import type { Emulator } from '../../../emulator/emulator.ts'
import { conductContext } from '../../../judges/conduct/judge-worlds.ts'
import { createLifetimeLog, type LifetimeRow } from '../../../judges/rehearsal/lifetime-log.ts'
import { lifetimeTable } from '../../../judges/rehearsal/lifetime-table.ts'
import { sunsetMoments } from '../../../judges/rehearsal/sunset.ts'
import type { Paint } from '../../terminal/paint.ts'
import { cell, tableLines } from '../../terminal/table.ts'

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
export function sunsetLines(all: readonly LifetimeRow[], paint: Paint): readonly string[] {
  const { title, heads, rows } = lifetimeTable(all)
  if (rows.length === 0) return [title]
  return [
    title,
    '',
    ...tableLines(
      [
        heads.map(text => cell(text, { style: 'dim' })),
        ...rows.map(({ operation, site, counts }) => [
          cell(operation, { style: 'bold' }),
          cell(site),
          ...counts.map(({ text, isBroken }) => cell(text, { style: isBroken ? 'red' : 'dim' })),
        ]),
      ],
      paint,
    ),
  ]
}
