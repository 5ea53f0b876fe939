import type { LimitView, RequestView } from '../../judges/inspection/view.ts'
import { clip } from '../../service/call/echo.ts'
import type { Paint } from '../terminal/paint.ts'
import { type Cell, cell, tableLines, widthsOf } from '../terminal/table.ts'
import { styleOf, timeOf } from './log-pretty.ts'

/** The column in which the request stands, which is cut where the terminal is too narrow. */
const requestColumn = 2
const leastRequest = 22

/**
 * Makes lines of requests, as those of serve's log, with the number of each. Columns are as wide as what was told
 * so far needs, so that lines that come later stand below those before.
 */
export function createRequestLines(
  paint: Paint,
  columns: number | undefined,
  ofSeveral: boolean,
): (requests: readonly RequestView[]) => readonly string[] {
  let widths: readonly number[] = []
  return requests => {
    const rows = requests.map(request => cellsOf(request, ofSeveral))
    widths = widthsOf(rows, widths)
    const others = widths.filter((width, at) => at !== requestColumn && width > 0)
    const taken = others.reduce((sum, width) => sum + width + 2, 0)
    const most = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(leastRequest, columns - taken)
    const shown = widths.map((width, at) => (at === requestColumn ? Math.min(width, most) : width))
    return tableLines(
      rows.map(row => withCut(row, most)),
      paint,
      shown,
    )
  }
}

function withCut(row: readonly Cell[], most: number): readonly Cell[] {
  return row.map((one, at) =>
    at === requestColumn && one.text.length > most ? { ...one, text: clip(one.text, most) } : one,
  )
}

function cellsOf(request: RequestView, ofSeveral: boolean): readonly Cell[] {
  const { id, sandbox, receivedAt, method, target, status, key, plan, limit } = request
  const style = styleOf(status)
  return [
    cell(ofSeveral ? `${sandbox}#${id}` : `#${id}`, { style: 'bold', atRight: !ofSeveral }),
    cell(timeOf(Date.parse(receivedAt)), { style: 'dim' }),
    cell(`${method} ${target}`),
    cell(status, { style }),
    cell(key === null ? '' : `${key} ${plan ?? ''}`),
    cell(key === null || limit === null ? '' : leftOf(limit)),
    cell(whyOf(request), { style }),
  ]
}

/** What is left of the window with the fewest calls left; of a refusal, of the one that refused. */
function leftOf({ minute, day, told, accepted }: LimitView): string {
  const isDay = accepted ? day.remaining <= minute.remaining : told === 'day'
  const { remaining, limit } = isDay ? day : minute
  return `${remaining}/${limit} left ${isDay ? 'today' : 'this minute'}`
}

function whyOf({ code, fault, delayMs, gate, rules, response, breaches }: RequestView): string {
  const wait = response.headers['retry-after']
  const facts = [
    code ?? '',
    wait === undefined ? '' : `wait ${/^\d+$/.test(`${wait}`) ? `${wait} s` : `until ${wait}`}`,
    fault ?? '',
    delayMs === null ? '' : `${delayMs} ms late`,
    gate === 'prefer' ? 'by Prefer' : '',
    rules.length === 0 ? '' : `by ${rules.join(' + ')}`,
    breaches.length === 0 ? '' : 'breaks the contract',
  ]
  return facts.filter(fact => fact !== '').join(', ')
}
