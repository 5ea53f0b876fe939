import { type Command, type CommandGroup, isGroup } from '../../src/cli/arguments/command.ts'
import { variableOf } from '../../src/cli/arguments/flag.ts'
import type { Tool } from '../../src/cli/commands/mcp/tool.ts'
import type { RouteGroup } from '../../src/doors/admin/routing/route.ts'
import { conductChecks, conductIds } from '../../src/judges/conduct/checks.ts'
import { type CheckId, checks, isProxyCheck } from '../../src/judges/conformance/checks.ts'
import { severities } from '../../src/judges/report/finding.ts'
import { putBetween } from '../program/page.ts'
import { table } from '../program/table.ts'

type Row = readonly string[]
type Item = readonly [name: string, text: string]

/** The page with its table of some declared things printed anew. */
function withTable(page: string, what: string, head: Row, rows: readonly Row[]): string {
  return withPart(page, what, table(head, rows))
}

/** A list of names and texts: with many rows, it is shorter than a table. */
function withList(page: string, what: string, rows: readonly Item[]): string {
  return withPart(page, what, rows.map(([name, text]) => `- ${name}: ${text}`).join('\n'))
}

/** The page with the part between these marks printed anew. */
export function withPart(page: string, what: string, text: string): string {
  const begin = `<!-- The ${what}, printed from their declarations by npm run generate. -->`
  return putBetween(page, [begin, `<!-- End of the ${what}. -->`], text)
}

export function withRoutesTable(page: string, groups: readonly RouteGroup[]): string {
  const rows = groups.flatMap(({ routes }) =>
    routes.map(
      ({ method, path, about }) => [`\`${method} ${path.slice(1)}\``, firstSentence(about)] as const,
    ),
  )
  return withList(page, 'routes', rows)
}

export function firstSentence(text: string): string {
  return text.replace(/(?<=\.) .*/, '')
}

export function withCommandsTable(page: string, commands: readonly (Command | CommandGroup)[]): string {
  const rows = withFullNames(commands).map(commandRow)
  const known = withTable(page, 'commands', ['command', 'what it does'], rows)
  return withList(withList(known, 'flags', flagRows(commands)), 'exit codes', exitCodeRows(commands))
}

/** All commands. Those of a group have its name before their own. */
export function withFullNames(commands: readonly (Command | CommandGroup)[]): readonly Command[] {
  return commands.flatMap(one =>
    isGroup(one) ? one.commands.map(own => ({ ...own, name: `${one.name} ${own.name}` })) : [one],
  )
}

/** A row for each command whose help has its own exit codes. */
function exitCodeRows(commands: readonly (Command | CommandGroup)[]): readonly Item[] {
  return withFullNames(commands).flatMap(({ name, notes = [] }) =>
    notes.flatMap(note => {
      const codes = /(?<=Exit codes: ).*|^pet-mock exits with .*/.exec(note)
      return codes === null ? [] : [[`\`${name}\``, codes[0]] as const]
    }),
  )
}

/** A row for each flag, or for each of its variables if commands mean different things by its name. */
function flagRows(commands: readonly (Command | CommandGroup)[]): readonly Item[] {
  const owners = new Map<string, string[]>()
  for (const one of commands)
    for (const { name, flags } of isGroup(one) ? one.commands : [one])
      for (const [flag, declared] of Object.entries(flags)) {
        const key = `\`--${flag}\` \`${variableOf(flag, declared)}\``
        const isOfAll = isGroup(one) && one.commands.every(other => flag in other.flags)
        const owner = isGroup(one) && !isOfAll ? `${one.name} ${name}` : one.name
        owners.set(key, [...(owners.get(key) ?? []), owner])
      }
  const ofServers = owners.get('`--sandbox` `PET_MOCK_SANDBOX`') ?? []
  return [...owners]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, names]) => {
      const isOfServers = names !== ofServers && ofServers.every(name => names.includes(name))
      const others = isOfServers ? names.filter(name => !ofServers.includes(name)) : names
      const all = [...(isOfServers ? ['those of `--sandbox`'] : []), ...others]
      return [key, [...new Set(all)].join(', ')]
    })
}

function commandRow({ name, words, runsAnother, about }: Command): Row {
  const places = words === undefined ? [] : [...(runsAnother ? ['--'] : []), words.replaceAll('|', '\\|')]
  return [`\`${[name, ...places].join(' ')}\``, about]
}

/** What clients are judged by, and what services are judged by. */
export function withFindings(page: string): string {
  const clients = conductIds.map(id => {
    const { severity, requirement, remedy, source } = conductChecks[id]
    const name = `\`${id}\` (${severity === 'info' ? 'note' : severity})`
    return [name, `${requirement}. ${remedy.replaceAll('<', '\\<')} (${sourceText(source)})`] as const
  })
  const services = (Object.entries(checks) as [CheckId, (typeof checks)[CheckId]][])
    .toSorted(([, one], [, other]) => severities.indexOf(one.severity) - severities.indexOf(other.severity))
    .map(([id, { says, source }]) => {
      const name = isProxyCheck(id) ? `**\`${id}\`**` : `\`${id}\``
      return [name, `${says} (${sourceText(source)})`] as const
    })
  return withList(withList(page, 'findings', clients), 'checks', services)
}

/** A section of the specification by its title, an assumption by its id. */
function sourceText(source: string): string {
  return source.replaceAll(/specification, [“"](.*?)[”"]/gi, '$1').replace('assumption ', '')
}

/** The tools of `pet-mock mcp`, in short: agents get the rest, with all fields, from the server itself. */
export function withToolsTable(page: string, tools: readonly Tool[]): string {
  const rows = tools.map(({ name, about, hints }) => {
    const short = firstSentence(about).replace(/:.*|\.$/, '')
    return [`\`${name}\`${hints.readOnlyHint ? '' : '\\*'}`, `${short}.`] as const
  })
  return withList(page, 'tools', rows)
}
