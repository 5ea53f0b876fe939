import { formatInstant } from '../../base/time/instant.ts'
import { adminUrl, baseUrl } from '../../doors/server/base-url.ts'
import { isLoopback } from '../../doors/server/loopback.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import { keyLines } from './banner-keys.ts'
import { formatPace } from './clock-pace.ts'
import type { Paint } from './paint.ts'
import { printable, wrap } from './printable.ts'

export interface BannerFacts {
  readonly version: string
  readonly host: string
  readonly port: number
  /** The system chose the port. */
  readonly anyPort: boolean
  readonly scenario: Scenario
  /** The server listens beyond loopback without a token, so the admin plane rejects all requests. */
  readonly isAdminClosed: boolean
  /** Single key presses control the server. */
  readonly hasKeys?: boolean
  /** Width of the terminal. Undefined: do not wrap. */
  readonly columns?: number | undefined
}

/** The column where the values start. */
const indent = 13

/** What a person sees when the server is ready. */
export function banner(facts: BannerFacts, paint: Paint): string {
  const { version, host, port, scenario, isAdminClosed, hasKeys, columns } = facts
  const url = baseUrl(host, port)
  const width = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(20, columns - indent - 2)
  const row = (label: string, ...texts: readonly string[]) =>
    texts.map(
      (text, index) =>
        `${index === 0 ? `${paint('green', '➜')}  ${paint('bold', label.padEnd(8))}` : ' '.repeat(indent - 2)}  ${text}`,
    )
  const lines = [
    `${paint('bold', paint('green', 'pet-mock'))} ${paint('dim', version)}`,
    '',
    ...row('API', paint('cyan', url)),
    ...row('Admin', isAdminClosed ? closedAdmin : paint('cyan', adminUrl(host, port))),
    ...row('Scenario', ...scenarioLines(scenario, width, paint)),
    ...row('Clock', ...clockLines(scenario)),
    ...row('Keys', ...keyLines(scenario, width, paint)),
    ...tryLines(curl(url, scenario.key), width, row),
    ...(hasKeys ? row('Press', 'h for help, q or Ctrl+C to quit') : row('Stop', 'Ctrl+C')),
    ...(isLoopback(host)
      ? []
      : ['', paint('yellow', `!  Other machines can reach this server: it listens on ${host}.`)]),
  ]
  return `\n${lines.map(line => `  ${line}`.trimEnd()).join('\n')}\n\n`
}

const closedAdmin = 'closed, because other machines can reach it. --admin-token opens it'

function scenarioLines(
  { name, title, description }: Scenario,
  width: number,
  paint: Paint,
): readonly string[] {
  const first =
    title === name ? printable(name) : `${printable(title)} ${paint('dim', `(${printable(name)})`)}`
  return [first, ...wrap(printable(description ?? ''), width).map(line => paint('dim', line))]
}

function clockLines({ clock }: Scenario): readonly string[] {
  if (clock.at === undefined && clock.scale === 1) return []
  const pace = formatPace(clock)
  return [clock.at === undefined ? `${pace} from the start` : `${formatInstant(clock.at)}, ${pace}`]
}

/** A wrapped command cannot be pasted: a line that is too long starts at the margin instead. */
function tryLines(
  line: string,
  width: number,
  row: (label: string, ...texts: readonly string[]) => string[],
): string[] {
  return line.length <= width ? row('Try', line) : [...row('Try', ''), line]
}

/** Quotes an IPv6 address: some shells expand brackets. */
function curl(url: string, key: string): string {
  const target = url.includes('[') ? `'${url}/pets'` : `${url}/pets`
  return `curl -i ${target} -H 'Authorization: Bearer ${key}'`
}
