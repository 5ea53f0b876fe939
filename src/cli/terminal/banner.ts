import { isLoopback } from '../../base/text/loopback.ts'
import { groupDigits } from '../../base/text/quantities.ts'
import { formatDuration } from '../../base/time/duration.ts'
import { formatInstant } from '../../base/time/instant.ts'
import { adminUrl, baseUrl, type Listening } from '../../doors/server/base-url.ts'
import type { KeyStart, Scenario } from '../../emulator/worlds/scenario.ts'
import {
  cell,
  formatPace,
  formatRefusals,
  listFacts,
  type Paint,
  printable,
  shellWords,
  tableLines,
  widthsOf,
  wrap,
} from './text.ts'

export interface BannerFacts extends Listening {
  readonly version: string
  /** The system chose the port. */
  readonly anyPort: boolean
  /** The addresses of this machine, if the server listens on all of them. */
  readonly network?: readonly string[]
  /** The path of the certificate, if clients that trust it trust the server. */
  readonly certificate?: string | undefined
  /** What links begin with, if that is not the server's own URL. */
  readonly linkBase?: string | undefined
  readonly scenario: Scenario
  readonly config?: string | undefined
  /** The server listens beyond loopback without a token, so the admin plane rejects all requests. */
  readonly isAdminClosed: boolean
  readonly state?: { readonly file: string; readonly isNew: boolean } | undefined
  /** Single key presses control the server. */
  readonly hasKeys?: boolean
  /** Width of the terminal. Undefined: do not wrap. */
  readonly columns?: number | undefined
}

const indent = 14

export function banner(facts: BannerFacts, paint: Paint): string {
  const { version, host, certificate, linkBase, scenario, config, state, isAdminClosed, hasKeys, columns } =
    facts
  const url = baseUrl(facts)
  const width = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(20, columns - indent - 2)
  const command = curl(url, scenario.key, certificate)
  // A wrapped command cannot be pasted: a long one starts at the margin.
  const rows: readonly BannerRow[] = [
    ['API', paint('cyan', url)],
    ['Network', ...networkLines(facts, paint)],
    ['Links', ...(linkBase === undefined ? [] : [`begin with ${paint('cyan', linkBase)}`])],
    ['Dashboard', ...(isAdminClosed ? wrap(closedAdmin, width) : [paint('cyan', adminUrl(facts))])],
    ['TLS', ...(certificate === undefined ? [] : certificateLines(certificate, width))],
    ['Config', ...(config === undefined ? [] : [printable(config)])],
    ['State', ...(state === undefined ? [] : [`${printable(state.file)}${state.isNew ? ' (new)' : ''}`])],
    ['Scenario', ...scenarioLines(scenario, width, paint)],
    ['Clock', ...clockLines(scenario)],
    ['Keys', ...keyLines(scenario, width, paint)],
    ...(command.length <= width
      ? [['Try', command] as const]
      : [['Try', ''] as const, ['', command] as const]),
    hasKeys ? ['Press', 'h for help, q or Ctrl+C to quit'] : ['Stop', 'Ctrl+C'],
  ]
  const warning = isLoopback(host)
    ? undefined
    : `Other machines can reach this server: it listens on ${host}.`
  return formatBanner('pet-mock', version, rows, warning, paint)
}

/** Other machines need no flag for an address, but for a name (A22). */
function networkLines(facts: BannerFacts, paint: Paint): readonly string[] {
  const { network = [] } = facts
  if (network.length === 0) return []
  const urls = network.map(host => paint('cyan', baseUrl({ ...facts, host })))
  return [...urls, paint('dim', 'by name: add --allowed-hosts NAME; for web pages: --cors ORIGIN')]
}

/** A label and the lines of its text, if it has any. Without a label, they start at the margin. */
export type BannerRow = readonly [label: string, ...texts: string[]]

export function formatBanner(
  name: string,
  version: string,
  rows: readonly BannerRow[],
  warning: string | undefined,
  paint: Paint,
): string {
  const lines = [
    `${paint('bold', paint('green', name))} ${paint('dim', version)}`,
    '',
    ...rows.flatMap(([label, ...texts]) =>
      texts.map((text, index) => {
        if (label === '') return text
        const head = `${paint('green', '➜')}  ${paint('bold', label.padEnd(9))}`
        return `${index === 0 ? head : ' '.repeat(indent - 2)}  ${text}`
      }),
    ),
    ...(warning === undefined ? [] : ['', paint('yellow', `!  ${warning}`)]),
  ]
  return `\n${lines.map(line => `  ${line}`.trimEnd()).join('\n')}\n\n`
}

export const closedAdmin = 'closed, because other machines can reach it; to open it, add --admin-token TOKEN'

/** A path that is broken cannot be copied. */
function certificateLines(path: string, width: number): readonly string[] {
  const what = 'self-signed; clients must trust'
  const line = `${what} ${path}`
  return line.length <= width ? [line] : [what, path]
}

function scenarioLines({ name: id, title, description }: Scenario, width: number, paint: Paint) {
  const name = printable(id)
  const first = title === id ? name : `${printable(title)} ${paint('dim', `(${name})`)}`
  return [first, ...wrap(printable(description ?? ''), width).map(line => paint('dim', line))]
}

function clockLines({ clock }: Scenario): readonly string[] {
  if (clock.at === undefined && clock.scale === 1) return []
  const pace = formatPace(clock)
  return [clock.at === undefined ? `${pace} from the start` : `${formatInstant(clock.at)}, ${pace}`]
}

/** Quotes an IPv6 address: some shells expand brackets. */
function curl(url: string, key: string, certificate: string | undefined): string {
  const trust = certificate === undefined ? '' : ` --cacert ${shellWords([certificate])}`
  const target = url.includes('[') ? `'${url}/pets'` : `${url}/pets`
  return `curl -i${trust} ${target} -H 'Authorization: Bearer ${key}'`
}

/** The banner only counts the keys beyond these. */
const mostShown = 8

/** Lists the keys, the scenario's own first. A state that does not fit into `width` gets its own line. */
function keyLines({ key: featured, keys }: Scenario, width: number, paint: Paint): readonly string[] {
  const inOrder = [...keys].sort(([a], [b]) => Number(b === featured) - Number(a === featured))
  const first = inOrder.slice(0, mostShown)
  const rows = first.map(([key, { plan, quota }]) => {
    const look = key === featured ? {} : ({ style: 'dim' } as const)
    return [
      cell(key, key === featured ? { style: 'bold' } : {}),
      cell(plan, look),
      cell(`${groupDigits(quota.minute)} a minute`, { ...look, atRight: true }),
      cell(`${groupDigits(quota.day)} a day`, { ...look, atRight: true }),
    ]
  })
  const widths = widthsOf(rows)
  const room = width - widths.reduce((sum, column) => sum + column + 2, 2)
  const lines = tableLines(rows, paint, widths).flatMap((row, at) => {
    const [key, start] = first[at] ?? []
    const line = `${key === featured ? paint('green', '●') : ' '} ${row}`
    const state = start === undefined ? '' : formatState(start)
    if (state === '') return [line]
    const note = paint('yellow', state)
    return state.length <= room ? [`${line}  ${note}`] : [line, `  ${note}`]
  })
  const more = keys.size - mostShown
  return more <= 0 ? lines : [...lines, paint('dim', `  and ${groupDigits(more)} more`)]
}

function formatState({ used, strikes, bannedForMs, revoked, expiresAt }: KeyStart): string {
  return listFacts([
    used.day > 0 ? `used ${groupDigits(used.minute)} this minute, ${groupDigits(used.day)} today` : '',
    strikes > 0 ? formatRefusals(strikes) : '',
    bannedForMs === undefined ? '' : `banned for ${formatDuration(bannedForMs)}`,
    revoked ? 'revoked' : '',
    expiresAt === undefined ? '' : `expires ${formatInstant(expiresAt)}`,
  ])
}
