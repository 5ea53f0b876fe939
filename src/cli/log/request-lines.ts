import type { RequestView } from '../../judges/inspection/view.ts'
import type { Paint } from '../terminal/paint.ts'
import { elideMiddle, printable } from '../terminal/printable.ts'
import { layOut, leastRequest, longestRequest, widestCaller } from './lay-out.ts'
import { formatCallsLeft, formatReasons, styleOf, timeOf } from './request-parts.ts'

/** What all lines align. */
const aligned = ['place', 'request', 'caller', 'left'] as const
type Texts = Readonly<Record<(typeof aligned)[number], string>>

/**
 * Creates a formatter of requests, like the lines of serve's log, with the id of each. Columns only grow, so later lines
 * align with earlier ones.
 */
export function createRequestLines(
  paint: Paint,
  columns: number | undefined,
  ofSeveral: boolean,
): (requests: readonly RequestView[]) => readonly string[] {
  const widths = { place: 0, request: 0, caller: 0, left: 0 }
  return requests => {
    const rows = requests.map(request => ({ request, texts: textsOf(request, ofSeveral, columns) }))
    for (const name of aligned)
      widths[name] = Math.max(widths[name], ...rows.map(({ texts }) => texts[name].length))
    const others = widths.place + widths.caller + widths.left + timeAndStatus
    const most = columns === undefined ? longestRequest : Math.max(leastRequest, columns - others)
    const width = Math.min(widths.request, most)
    return rows.map(({ request, texts: { place, caller, left } }) => {
      const style = styleOf(request.status)
      const reasons = reasonsOf(request)
      const line = {
        lead: [
          {
            text: ofSeveral ? place.padEnd(widths.place) : place.padStart(widths.place),
            style: 'bold' as const,
          },
          { text: timeOf(Date.parse(request.receivedAt)), style: 'dim' as const },
        ],
        request: `${request.method} ${request.target}`,
        width,
        most: width,
        fixed: [
          { text: printable(`${request.status}`), style },
          ...(widths.caller === 0 ? [] : [{ text: caller.padEnd(widths.caller) }]),
        ],
        details: [
          ...(left === '' ? [] : [{ text: left.padEnd(reasons === '' ? 0 : widths.left) }]),
          ...(reasons === '' ? [] : [{ text: reasons, style }]),
        ],
      }
      return layOut(line, columns, paint)
    })
  }
}

/** The width of a time and a status, and of the gaps between all columns. */
const timeAndStatus = 8 + 3 + 5 * 2

function textsOf(request: RequestView, ofSeveral: boolean, columns: number | undefined): Texts {
  const { id, sandbox, method, target, key, plan, limit } = request
  const caller = key === null ? '' : printable(`${key} ${plan ?? ''}`.trimEnd())
  const place = ofSeveral ? printable(`${sandbox}#${id}`) : `#${id}`
  return {
    place: columns === undefined ? place : elideMiddle(place, widestCaller),
    request: printable(`${method} ${target}`),
    caller: columns === undefined ? caller : elideMiddle(caller, widestCaller),
    left: key === null || limit === null ? '' : printable(formatCallsLeft(limit)),
  }
}

function reasonsOf(request: RequestView): string {
  const wait = request.response.headers['retry-after']
  const waitText = /^\d+$/.test(`${wait}`) ? `wait ${wait} s` : `Retry-After: ${wait}`
  return printable(
    formatReasons(
      [request.code ?? '', wait === undefined ? '' : waitText],
      request,
      request.breaches.length === 0 ? '' : 'breaks the contract',
    ),
  )
}
