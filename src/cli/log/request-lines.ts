import type { RequestView } from '../../judges/inspection/view.ts'
import type { Paint } from '../terminal/paint.ts'
import { type Cell, cell, tableLines, widthsOf } from '../terminal/table.ts'
import { formatCallsLeft, formatReasons, styleOf, timeOf } from './request-parts.ts'

/** The column of the request, which is cut on a narrow terminal. */
const requestColumn = 2
const leastRequest = 22

/**
 * Creates a formatter of requests, like the lines of serve's log, with the id of each. Columns only grow, so later lines
 * align with earlier ones.
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
    return tableLines(rows, paint, shown)
  }
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
    cell(key === null || limit === null ? '' : formatCallsLeft(limit)),
    cell(reasonsOf(request), { style }),
  ]
}

function reasonsOf(request: RequestView): string {
  const wait = request.response.headers['retry-after']
  const waitText = /^\d+$/.test(`${wait}`) ? `wait ${wait} s` : `wait until ${wait}`
  return formatReasons(
    [request.code ?? '', wait === undefined ? '' : waitText],
    request,
    request.breaches.length === 0 ? '' : 'breaks the contract',
  )
}
