import { version } from '../../../doors/server/version.ts'
import type { LogFormat } from '../../arguments/flag-values.ts'
import { type BannerRow, closedAdmin, formatBanner } from '../../terminal/banner.ts'
import type { Io } from '../../terminal/io.ts'
import { jsonLine } from '../../terminal/json-line.ts'
import { createPaint } from '../../terminal/paint.ts'

export interface ProxyFacts {
  /** The API's URL at the proxy. */
  readonly url: string
  readonly admin: string
  /** The real API. */
  readonly upstream: string
  /** Whether the admin plane is closed: other machines can reach it, and there is no token. */
  readonly isAdminClosed: boolean
  /** Whether other machines can reach the proxy. */
  readonly isOpen: boolean
  /** Whether the system chose the port. */
  readonly anyPort: boolean
}

/** Announces the proxy's URLs, in the form that `--log-format` asks for. */
export function announceProxy(facts: ProxyFacts, format: LogFormat, { stdout, pid }: Io): void {
  const { url, admin, upstream, anyPort } = facts
  if (format === 'json') stdout.write(`${jsonLine({ event: 'ready', url, admin, upstream, version, pid })}\n`)
  else if (format === 'pretty') stdout.write(banner(facts, createPaint(stdout)))
  // A silent proxy on any port would otherwise be unreachable.
  else if (anyPort) stdout.write(`${url}\n`)
}

function banner(
  { url, admin, upstream, isAdminClosed, isOpen }: ProxyFacts,
  paint: ReturnType<typeof createPaint>,
) {
  const rows: readonly BannerRow[] = [
    ['API', paint('cyan', url)],
    ['Service', paint('cyan', upstream)],
    ['Look', isAdminClosed ? closedAdmin : paint('cyan', `${admin}/conduct`)],
    ['Verdicts', 'Ctrl+C'],
  ]
  const warning = isOpen ? 'Other machines can reach this proxy.' : undefined
  return formatBanner('pet-mock proxy', version, rows, warning, paint)
}
