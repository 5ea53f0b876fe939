import { formatDuration } from '../../base/time/duration.ts'
import { formatInstant } from '../../base/time/instant.ts'
import type { KeyStart, Scenario } from '../../emulator/worlds/scenario.ts'
import { grouped } from './group-digits.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'

/** More keys than these are only counted. */
const mostShown = 8

/**
 * The keys with their plans, quotas and how they start; marked, and first, the one that the scenario is about. What is
 * unusual about a key has a line of its own where `width` characters do not hold it all.
 */
export function keyLines({ key: featured, keys }: Scenario, width: number, paint: Paint): readonly string[] {
  const inOrder = [...keys].sort(([a], [b]) => Number(b === featured) - Number(a === featured))
  const rows = inOrder.slice(0, mostShown).map(([key, start]) => ({
    key,
    plan: printable(start.plan),
    minute: `${grouped(start.quota.minute)} a minute`,
    day: `${grouped(start.quota.day)} a day`,
    state: stateOf(start),
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
    : [...lines, paint('dim', `  and ${grouped(keys.size - mostShown)} more`)]
}

/** What is unusual about a key from the start. */
function stateOf({ used, strikes, bannedForMs, revoked, expiresAt }: KeyStart): string {
  const facts = [
    used.day > 0 ? `used ${grouped(used.minute)} this minute, ${grouped(used.day)} today` : '',
    strikes > 0 ? `refused ${strikes === 1 ? 'once' : `${grouped(strikes)} times`}` : '',
    bannedForMs === undefined ? '' : `banned for ${formatDuration(bannedForMs)}`,
    revoked ? 'revoked' : '',
    expiresAt === undefined ? '' : `expires ${formatInstant(expiresAt)}`,
  ]
  return facts.filter(fact => fact !== '').join(', ')
}
