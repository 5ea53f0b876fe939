import { formatDuration } from '../../base/time/duration.ts'
import { formatInstant } from '../../base/time/instant.ts'
import type { KeyStart, Scenario } from '../../emulator/worlds/scenario.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'
import { formatRefusals, groupDigits, listFacts } from './quantities.ts'

/** The banner only counts the keys beyond these. */
const mostShown = 8

/**
 * Lists the keys with plan, quota and initial state, the scenario's own key first. A state that does not fit into `width`
 * gets its own line.
 */
export function keyLines({ key: featured, keys }: Scenario, width: number, paint: Paint): readonly string[] {
  const inOrder = [...keys].sort(([a], [b]) => Number(b === featured) - Number(a === featured))
  const rows = inOrder.slice(0, mostShown).map(([key, start]) => ({
    key,
    plan: printable(start.plan),
    minute: `${groupDigits(start.quota.minute)} a minute`,
    day: `${groupDigits(start.quota.day)} a day`,
    state: formatState(start),
  }))
  const widest = (column: 'key' | 'plan' | 'minute' | 'day') =>
    Math.max(...rows.map(row => row[column].length))
  const lines = rows.flatMap(({ key, plan, minute, day, state }) => {
    const name = key.padEnd(widest('key'))
    const quota = `${plan.padEnd(widest('plan'))}  ${minute.padStart(widest('minute'))}  ${day.padStart(widest('day'))}`
    const line =
      key === featured
        ? `${paint('green', '●')} ${paint('bold', name)}  ${quota}`
        : `  ${name}  ${paint('dim', quota)}`
    if (state === '') return [line]
    const note = paint('yellow', state)
    const fits = name.length + quota.length + state.length + 6 <= width
    return fits ? [`${line}  ${note}`] : [line, `  ${note}`]
  })
  return keys.size <= mostShown
    ? lines
    : [...lines, paint('dim', `  and ${groupDigits(keys.size - mostShown)} more`)]
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
