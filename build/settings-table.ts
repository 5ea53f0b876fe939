import type { Field, Fields, Shape } from '../src/control/fields/field.ts'
import { scenarioFile as scenario } from '../src/control/scenario/settings/scenario-file.ts'
import { table } from './table.ts'

const begin = '<!-- The settings, printed from their declarations by npm run generate. -->'
const end = '<!-- End of the settings. -->'

/** A row for each setting of a scenario, by its path: rules and walkthroughs have tables of their own. */
export const settingRows: ReadonlyMap<string, readonly string[]> = new Map(rowsOf(scenario.fields, ''))

/** The page with its table of settings printed anew. */
export function withSettingsTable(page: string): string {
  const [before, rest = ''] = page.split(begin)
  const [, after] = rest.split(end)
  if (before === undefined || after === undefined) throw new Error('The page has no place for the settings')
  const printed = table(['setting', 'what it is', 'default', 'assumption'], [...settingRows.values()])
  return `${before}${begin}\n\n${printed}\n\n${end}${after}`
}

function rowsOf(fields: Fields, path: string, above?: string): [string, readonly string[]][] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const own = `${path}${name}`
    const assumption = field.assumption ?? above
    const inner = innerFields(field.shape)
    return [
      [own, row(own, field, assumption)],
      ...(inner ? rowsOf(inner.fields, `${own}.${inner.step}`, assumption) : []),
    ]
  })
}

/** The fields within a setting, and the names on the way to them. */
function innerFields(shape: Shape): { readonly fields: Fields; readonly step: string } | undefined {
  if (shape.type === 'map') return { fields: shape.fields, step: '' }
  if (shape.type === 'names' && shape.each.type === 'map')
    return { fields: shape.each.fields, step: '<name>.' }
  const option = shape.type === 'either' ? shape.options.find(({ type }) => type === 'map') : undefined
  return option?.type === 'map' ? { fields: option.fields, step: '' } : undefined
}

function row(path: string, { about, shape, default: usual }: Field, assumption = ''): readonly string[] {
  const choices = shape.type === 'choice' ? shape.schema.enum : undefined
  const values = Array.isArray(choices) ? ` One of ${choices.map(value => `\`${value}\``).join(', ')}.` : ''
  const text = `${about.replace(/ Default: none\.$/, '')}${values}`
  return [`\`${path}\``, text, usual === undefined ? '' : `\`${usual}\``, assumption]
}
