import { version } from '../../../doors/server/version.ts'
import type { LogFormat } from '../../arguments/flag-values.ts'
import type { Io } from '../../terminal/io.ts'
import { jsonLine } from '../../terminal/json-line.ts'
import { createPaint } from '../../terminal/paint.ts'

export interface ProxyFacts {
  /** Where clients find the API now. */
  readonly url: string
  readonly admin: string
  /** Where it is in truth. */
  readonly upstream: string
  /** Whether nobody may look: others could, too, and there is no token. */
  readonly isAdminClosed: boolean
  /** Whether other machines reach it. */
  readonly isOpen: boolean
  /** The port was the system's choice. */
  readonly anyPort: boolean
}

/** Tells that the proxy listens, and where. */
export function tellProxyReady(facts: ProxyFacts, format: LogFormat, { stdout, pid }: Io): void {
  const { url, admin, upstream, anyPort } = facts
  if (format === 'json') stdout.write(`${jsonLine({ event: 'ready', url, admin, upstream, version, pid })}\n`)
  else if (format === 'pretty') stdout.write(banner(facts, createPaint(stdout)))
  // Else nobody could know where it listens.
  else if (anyPort) stdout.write(`${url}\n`)
}

function banner(
  { url, admin, upstream, isAdminClosed, isOpen }: ProxyFacts,
  paint: ReturnType<typeof createPaint>,
) {
  const row = (label: string, text: string) =>
    `${paint('green', '➜')}  ${paint('bold', label.padEnd(8))}  ${text}`
  const lines = [
    `${paint('bold', paint('green', 'pet-mock proxy'))} ${paint('dim', version)}`,
    '',
    row('API', paint('cyan', url)),
    row('Service', paint('cyan', upstream)),
    row(
      'Look',
      isAdminClosed
        ? 'closed, since other machines could: --admin-token opens it'
        : paint('cyan', `${admin}/conduct`),
    ),
    row('Verdicts', 'Ctrl+C'),
    ...(isOpen ? ['', paint('yellow', '!  Other machines can reach it, too.')] : []),
  ]
  return `\n${lines.map(line => `  ${line}`.trimEnd()).join('\n')}\n\n`
}
