import { groupDigits } from '../../base/text/quantities.ts'
import { createRequestLines } from '../log/request-lines.ts'
import { follow, type RequestList } from './follow-requests.ts'
import { otherSandboxes } from './other-sandboxes.ts'
import { filterFlags, type ListValues } from './request-flags.ts'
import type { Session } from './session.ts'

const usualLimit = 20

export async function listRequests(session: Session<ListValues>): Promise<void> {
  const { values, ask, print, paint, io } = session
  const filters = Object.entries(values).filter(
    ([name, value]) => Object.hasOwn(filterFlags, name) && value !== undefined && value !== false,
  )
  const query = { ...Object.fromEntries(filters), ...(values['show-keys'] && { keys: 'shown' }) }
  const limit = values.limit ?? (values.json ? undefined : usualLimit)
  const toLines = createRequestLines(paint, io.stdout.columns, values.sandbox === '*')
  if (values.follow) return await follow(session, query, limit, toLines)
  const list = await ask<RequestList>('GET', '/requests', undefined, { ...query, limit })
  const others = await otherSandboxes(session)
  print(list, ({ requests, meta }) => [
    ...toLines(requests.toReversed()),
    ...(requests.length === meta.total && requests.length > 0 ? [] : [paint('dim', describeCounts(list))]),
    ...others.map(line => paint('dim', line)),
  ])
}

function describeCounts({ requests, meta: { total, kept, evicted } }: RequestList): string {
  const gone = evicted === 0 ? '' : `; the journal dropped ${groupDigits(evicted)} older ones`
  if (total > 0)
    return `The newest ${groupDigits(requests.length)} of ${groupDigits(total)}; --limit N shows more${gone}.`
  return kept === 0
    ? `The journal has no requests${gone}.`
    : `${kept === 1 ? 'The only request does not match' : `None of the ${groupDigits(kept)} requests matches`}${gone}.`
}
