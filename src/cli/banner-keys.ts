import type { KeyStart, Scenario } from '../emulator/scenario.ts'
import { formatDuration } from '../time/duration.ts'
import { formatInstant } from '../time/instant.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'

/** More keys than these are only counted. */
const mostShown = 8

/** The keys with their plans, quotas and how they start; marked, and first, the one that the scenario is about. */
export function keyLines({ key: featured, keys }: Scenario, paint: Paint): readonly string[] {
  const inOrder = [...keys].sort(([a], [b]) => Number(b === featured) - Number(a === featured))
  const rows = inOrder.slice(0, mostShown).map(([key, start]) => ({
    key,
    plan: printable(start.plan),
    minute: `${grouped(start.quota.minute)} a minute`,
    day: `${grouped(start.quota.day)} a day`,
    state: stateOf(start),
  }))
  const width = (column: 'key' | 'plan' | 'minute' | 'day') =>
    Math.max(...rows.map(row => row[column].length))
  const lines = rows.map(({ key, plan, minute, day, state }) => {
    const name = key.padEnd(width('key'))
    const quota = `${plan.padEnd(width('plan'))}  ${minute.padStart(width('minute'))}  ${day.padStart(width('day'))}`
    const note = state === '' ? '' : `  ${paint('yellow', state)}`
    return key === featured
      ? `${paint('green', '●')} ${paint('bold', name)}  ${quota}${note}`
      : `  ${name}  ${paint('dim', quota)}${note}`
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

/** 500000 as 500,000: Intl would take 20 ms of the start for this. */
function grouped(count: number): string {
  return `${count}`.replace(/\B(?=(?:\d{3})+$)/g, ',')
}
