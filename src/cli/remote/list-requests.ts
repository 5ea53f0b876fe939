import type { RequestView } from '../../judges/inspection/view.ts'
import { createRequestLines } from '../log/request-lines.ts'
import { groupDigits } from '../terminal/group-digits.ts'
import { follow } from './follow-requests.ts'
import { onServer } from './on-server.ts'
import { filterFlags, listFlags } from './requests.ts'

export interface RequestList {
  readonly requests: readonly RequestView[]
  readonly meta: { readonly total: number; readonly kept: number; readonly evicted: number }
}

/** More than these, nobody reads on a terminal. */
const usualLimit = 20

export const run = onServer(listFlags, {
  act: async session => {
    const { values, json, sandbox, ask, tell, paint, io } = session
    const said = Object.entries(values).filter(
      ([name, value]) => Object.hasOwn(filterFlags, name) && value !== undefined && value !== false,
    )
    const filter = { ...Object.fromEntries(said), ...(values['show-keys'] && { keys: 'shown' }) }
    const limit = values.limit ?? (json ? undefined : usualLimit)
    const lines = createRequestLines(paint, io.stdout.columns, sandbox === '*')
    if (values.follow) return await follow(session, filter, limit, lines)
    const list = await ask<RequestList>('GET', '/requests', undefined, { ...filter, limit })
    tell(list, ({ requests, meta }) => [
      ...lines(requests.toReversed()),
      ...(requests.length === meta.total && requests.length > 0 ? [] : [paint('dim', howMany(list))]),
    ])
  },
})

function howMany({ requests, meta: { total, kept, evicted } }: RequestList): string {
  const gone = evicted === 0 ? '' : `; ${groupDigits(evicted)} older ones had to make room`
  if (total > 0)
    return `The newest ${groupDigits(requests.length)} of ${groupDigits(total)}: --limit N shows more${gone}.`
  return kept === 0
    ? `No requests are kept${gone}.`
    : `None of the ${groupDigits(kept)} requests fits${gone}.`
}
