import { groupDigits } from '../../base/text/quantities.ts'
import { formatDuration } from '../../base/time/duration.ts'
import { formatInstant } from '../../base/time/instant.ts'
import type { KeyStart, Scenario } from '../../emulator/worlds/scenario.ts'
import type { Paint } from './paint.ts'
import { formatRefusals, listFacts } from './quantities.ts'
import { cell, tableLines, widthsOf } from './table.ts'

/** The banner only counts the keys beyond these. */
const mostShown = 8

/**
 * Lists the keys with plan, quota and initial state, the scenario's own key first. A state that does not fit into `width`
 * gets its own line.
 */
export function keyLines({ key: featured, keys }: Scenario, width: number, paint: Paint): readonly string[] {
  const inOrder = [...keys].sort(([a], [b]) => Number(b === featured) - Number(a === featured))
  const first = inOrder.slice(0, mostShown)
  const rows = first.map(([key, { plan, quota }]) => {
    const look = key === featured ? {} : ({ style: 'dim' } as const)
    return [
      cell(key, key === featured ? { style: 'bold' } : {}),
      cell(plan, look),
      cell(`${groupDigits(quota.minute)} a minute`, { ...look, atRight: true }),
      cell(`${groupDigits(quota.day)} a day`, { ...look, atRight: true }),
    ]
  })
  const widths = widthsOf(rows)
  const room = width - widths.reduce((sum, column) => sum + column + 2, 2)
  const lines = tableLines(rows, paint, widths).flatMap((row, at) => {
    const [key, start] = first[at] ?? []
    const line = `${key === featured ? paint('green', '●') : ' '} ${row}`
    const state = start === undefined ? '' : formatState(start)
    if (state === '') return [line]
    const note = paint('yellow', state)
    return state.length <= room ? [`${line}  ${note}`] : [line, `  ${note}`]
  })
  const more = keys.size - mostShown
  return more <= 0 ? lines : [...lines, paint('dim', `  and ${groupDigits(more)} more`)]
}

function formatState({ used, strikes, bannedForMs, revoked, expiresAt }: KeyStart): string {
  return listFacts([
    used.day > 0 ? `used ${groupDigits(used.minute)} this minute, ${groupDigits(used.day)} today` : '',
    strikes > 0 ? formatRefusals(strikes) : '',
    bannedForMs === undefined ? '' : `banned for ${formatDuration(bannedForMs)}`,
    revoked ? 'revoked' : '',
    expiresAt === undefined ? '' : `expires ${formatInstant(expiresAt)}`,
  ])
}
