import { isLoopback } from '../../../base/text/loopback.ts'
import { adminUrl, originOf } from '../../../doors/server/base-url.ts'
import type { HttpDoor } from '../../../doors/server/http-door.ts'
import { version } from '../../../doors/server/version.ts'
import { type BannerRow, closedAdmin, formatBanner } from '../../terminal/banner.ts'
import type { Io } from '../../terminal/io.ts'
import { jsonLine } from '../../terminal/json-line.ts'
import { createPaint } from '../../terminal/paint.ts'
import type { ProxyValues } from './flags.ts'

/** Announces the proxy's URLs, in the form that `--log-format` asks for. */
export function announceProxy(
  door: HttpDoor,
  { origin, pathname }: URL,
  values: ProxyValues,
  { stdout, pid }: Io,
): void {
  const base = pathname === '/' ? '' : pathname
  const url = `${originOf(door)}${base}`
  const admin = adminUrl(door)
  const upstream = `${origin}${base}`
  switch (values['log-format']) {
    case 'json':
      stdout.write(`${jsonLine({ event: 'ready', url, admin, upstream, version, pid })}\n`)
      break
    case 'pretty': {
      const paint = createPaint(stdout)
      const isAdminClosed = values['admin-token'] === undefined && !isLoopback(door.address)
      const rows: readonly BannerRow[] = [
        ['API', paint('cyan', url)],
        ['Service', paint('cyan', upstream)],
        ...(values.scenario === undefined ? [] : [['Rules', values.scenario] as const]),
        ['Findings', isAdminClosed ? closedAdmin : paint('cyan', `${admin}/conduct`)],
        ['Stop', 'Ctrl+C, which also prints the findings'],
      ]
      const warning = isLoopback(door.host) ? undefined : 'Other machines can reach this proxy.'
      stdout.write(formatBanner('pet-mock proxy', version, rows, warning, paint))
      break
    }
    default:
      // A silent proxy on any port would otherwise be unreachable.
      if (values.port === 0) stdout.write(`${url}\n`)
  }
}
