import { groupDigits } from '../../base/text/quantities.ts'
import type { PlaneKey } from '../../generated/plane-operations.ts'
import type { CommandGroup } from '../arguments/command.ts'
import { flagGroup } from '../arguments/flag.ts'
import { readDurationText } from '../arguments/flag-values.ts'
import { printable } from '../terminal/printable.ts'
import { formatRefusals, listFacts } from '../terminal/quantities.ts'
import { type Cell, cell, tableLines } from '../terminal/table.ts'
import type { Session } from './server-command.ts'
import { planeCommand } from './server-command.ts'

const key = ({ words: [key] }: Session) => ({ key })

const lines = (state: PlaneKey, { paint }: Pick<Session, 'paint'>) => tableLines([toRow(state)], paint)

export const keys: CommandGroup = {
  name: 'keys',
  about: 'Lists, adds, bans and deletes API keys.',
  commands: [
    planeCommand({
      name: 'list',
      isDefault: true,
      about: 'Lists the API keys with their remaining calls and bans.',
      calls: 'listKeys',
      lines: ({ keys }, { paint }) => tableLines(keys.map(toRow), paint),
    }),
    planeCommand({
      name: 'add',
      words: 'NAME PLAN',
      about: 'Adds an API key.',
      examples: [['$0 keys add my-app pro', '']],
      calls: 'addKey',
      fields: ({ words: [key, plan] }) => ({ key, plan }),
      lines,
    }),
    planeCommand({
      name: 'ban',
      words: 'KEY',
      about: 'Bans an API key.',
      flags: {
        for: flagGroup('Options:').optional({
          value: 'DURATION',
          about: "how long, such as 2m [the scenario's ban duration]",
          parse: readDurationText,
        }),
      },
      examples: [['$0 keys ban demo-free --for 2m', '']],
      calls: 'banKey',
      fields: ({ words: [key], values }) => ({ key, for: values.for }),
      lines,
    }),
    planeCommand({
      name: 'unban',
      words: 'KEY',
      about: 'Lifts the ban of an API key, and resets its count of refused calls.',
      calls: 'unbanKey',
      fields: key,
      lines,
    }),
    planeCommand({
      name: 'delete',
      words: 'KEY',
      about: 'Deletes an API key: calls with it get 401.',
      calls: 'deleteKey',
      fields: key,
      lines: ({ key, plan }) => [`deleted ${printable(key)} (plan ${printable(plan)})`],
    }),
  ],
}

function toRow(state: PlaneKey): readonly Cell[] {
  const { key, plan, limits, remaining } = state
  const left = (window: 'minute' | 'day') => {
    const style = remaining[window] === 0 ? ({ style: 'magenta' } as const) : {}
    return cell(`${groupDigits(remaining[window])}/${groupDigits(limits[window])}`, {
      atRight: true,
      ...style,
    })
  }
  return [
    cell(key, { style: 'bold' }),
    cell(plan),
    left('minute'),
    cell('left this minute', { style: 'dim' }),
    left('day'),
    cell('left today', { style: 'dim' }),
    cell(describeStanding(state), { style: 'yellow' }),
  ]
}

function describeStanding({ strikes, bannedUntil, revoked, expires }: PlaneKey): string {
  const refusals = strikes === 0 ? '' : formatRefusals(strikes)
  return listFacts([
    bannedUntil === null ? refusals : `banned until ${bannedUntil}`,
    revoked ? 'revoked' : '',
    expires === null ? '' : `expires ${expires}`,
  ])
}
