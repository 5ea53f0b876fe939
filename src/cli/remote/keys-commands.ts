import type { KeyState } from '../../library/client/controls.ts'
import { serverFlags } from '../arguments/server-flags.ts'
import { groupDigits } from '../terminal/group-digits.ts'
import { printable } from '../terminal/printable.ts'
import { type Cell, cell, tableLines } from '../terminal/table.ts'
import { banFlags } from './keys.ts'
import { expectWords, onServer, type Session } from './on-server.ts'

function pathOf({ words: [key = ''] }: Session<unknown>, action = ''): string {
  return `/keys/${encodeURIComponent(key)}${action}`
}

function tell({ tell, paint }: Session<unknown>, key: KeyState): void {
  tell(key, key => tableLines([rowOf(key)], paint))
}

function rowOf({ key, plan, limits, remaining, ...standing }: KeyState): readonly Cell[] {
  const left = (window: 'minute' | 'day') =>
    `${groupDigits(remaining[window])}/${groupDigits(limits[window])}`
  return [
    cell(key, { style: 'bold' }),
    cell(plan),
    cell(left('minute'), { atRight: true, ...lookOf(remaining.minute) }),
    cell('left this minute', { style: 'dim' }),
    cell(left('day'), { atRight: true, ...lookOf(remaining.day) }),
    cell('left today', { style: 'dim' }),
    cell(stateOf(standing), { style: 'yellow' }),
  ]
}

function lookOf(left: number): Omit<Cell, 'text'> {
  return left === 0 ? { style: 'magenta' } : {}
}

/** What is unusual about a key. */
function stateOf({
  strikes,
  bannedUntil,
  revoked,
  expires,
}: Omit<KeyState, 'key' | 'plan' | 'limits' | 'remaining'>) {
  const facts = [
    bannedUntil === null ? '' : `banned until ${bannedUntil}`,
    bannedUntil !== null || strikes === 0
      ? ''
      : `refused ${strikes === 1 ? 'once' : `${groupDigits(strikes)} times`}`,
    revoked ? 'revoked' : '',
    expires === null ? '' : `expires ${expires}`,
  ]
  return facts.filter(fact => fact !== '').join(', ')
}

export const list = onServer(serverFlags, {
  act: async ({ ask, tell, paint }) =>
    tell(await ask<{ readonly keys: readonly KeyState[] }>('GET', '/keys'), ({ keys }) =>
      tableLines(keys.map(rowOf), paint),
    ),
})

export const add = onServer(serverFlags, {
  check: words => expectWords(words, 'keys add', ['NAME', 'PLAN']),
  act: async session => {
    const [key, plan] = session.words
    tell(session, await session.ask('POST', '/keys', { key, plan }))
  },
})

export const ban = onServer(banFlags, {
  check: words => expectWords(words, 'keys ban', ['KEY']),
  act: async session =>
    tell(session, await session.ask('POST', pathOf(session, '/ban'), { for: session.values.for })),
})

export const unban = onServer(serverFlags, {
  check: words => expectWords(words, 'keys unban', ['KEY']),
  act: async session => tell(session, await session.ask('POST', pathOf(session, '/unban'))),
})

export const remove = onServer(serverFlags, {
  check: words => expectWords(words, 'keys delete', ['KEY']),
  act: async session => {
    const deleted = await session.ask<KeyState>('DELETE', pathOf(session))
    session.tell(deleted, ({ key, plan }) => [`deleted ${printable(key)}, of the plan ${printable(plan)}`])
  },
})
