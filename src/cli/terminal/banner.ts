import { formatInstant } from '../../base/time/instant.ts'
import { adminUrl, baseUrl } from '../../doors/server/base-url.ts'
import { isLoopback } from '../../doors/server/loopback.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import { keyLines } from './banner-keys.ts'
import { paceOf } from './clock-pace.ts'
import type { Paint } from './paint.ts'
import { printable, wrap } from './printable.ts'

export interface BannerFacts {
  readonly version: string
  readonly host: string
  readonly port: number
  /** The port was the system's choice. */
  readonly anyPort: boolean
  readonly scenario: Scenario
  /** Whether nobody may use the admin plane: others could, too, and there is no token. */
  readonly isAdminClosed: boolean
  /** Whether single keys of the terminal do something. */
  readonly hasKeys?: boolean
  /** Of the terminal; without, nothing is wrapped. */
  readonly columns?: number | undefined
}

/** How far to the right the texts begin. */
const indent = 13

/** What a person sees when the server is ready. The curl line works when it is pasted. */
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
    ...clockOf(scenario).flatMap(clock => row('Clock', clock)),
    ...row('Keys', ...keyLines(scenario, width, paint)),
    ...tryLines(curl(url, scenario.key), width, row),
    ...(hasKeys ? row('Press', 'h for help, q or Ctrl+C to quit') : row('Stop', 'Ctrl+C')),
    ...(isLoopback(host)
      ? []
      : ['', paint('yellow', `!  Other machines can reach it, too: it listens on ${host}.`)]),
  ]
  return `\n${lines.map(line => `  ${line}`.trimEnd()).join('\n')}\n\n`
}

const closedAdmin = 'closed, since other machines could use it: --admin-token opens it'

function scenarioLines(
  { name, title, description }: Scenario,
  width: number,
  paint: Paint,
): readonly string[] {
  const first =
    title === name ? printable(name) : `${printable(title)} ${paint('dim', `(${printable(name)})`)}`
  return [first, ...wrap(printable(description ?? ''), width).map(line => paint('dim', line))]
}

function clockOf({ clock }: Scenario): readonly string[] {
  if (clock.at === undefined && clock.scale === 1) return []
  const pace = paceOf(clock)
  return [clock.at === undefined ? `${pace} since the start` : `${formatInstant(clock.at)}, ${pace}`]
}

/** A line that is to be pasted must not be broken: where it is too long, it begins at the margin. */
function tryLines(
  line: string,
  width: number,
  row: (label: string, ...texts: readonly string[]) => string[],
): string[] {
  return line.length <= width ? row('Try', line) : [...row('Try', ''), line]
}

/** An IPv6 address goes into quotes: its brackets are a pattern to some shells. */
function curl(url: string, key: string): string {
  const target = url.includes('[') ? `'${url}/pets'` : `${url}/pets`
  return `curl -i ${target} -H 'Authorization: Bearer ${key}'`
}
