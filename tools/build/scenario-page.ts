import type { Field, Shape } from '../../src/control/fields/field.ts'
import { showFlow } from '../../src/control/files/show.ts'
import { fixtureShapes } from '../../src/control/fixtures/shapes.ts'
import { deprecation } from '../../src/control/scenario/settings/behaviour.ts'
import { rehearsal } from '../../src/control/scenario/settings/rehearsal.ts'
import { exampleOf, then } from '../../src/control/scenario/settings/rules.ts'
import { command, scenarioFile } from '../../src/control/scenario/settings/scenario-file.ts'
import { key, pets } from '../../src/control/scenario/settings/world.ts'
import { faults, faultTraits } from '../../src/service/call/fault.ts'

/** Fields whose inner fields are clear from their examples. */
const shownByExample: readonly unknown[] = [
  key.fields.limits,
  pets.fields.add,
  deprecation.fields.brownouts,
  then.fields.delay,
  then.fields.fault,
  rehearsal.fields.clock,
]

/** The page with its lists printed anew: each is between marks that name what it lists. */
export function withScenarioFields(page: string): string {
  return page.replace(
    /(?<=<!--generated:(.+)-->\n)[\s\S]*?(?=<!--end-->)/g,
    (_old, names: string) => `\n${names.split(',').flatMap(listOf).join('\n')}\n\n`,
  )
}

function listOf(name: string): readonly string[] {
  const field = Object.entries(scenarioFile.fields).find(([own]) => own === name)?.[1]
  if (field !== undefined) return fieldList(name, field)
  if (name === 'faults') return faultList()
  if (name === 'commands') return commandList()
  if (name === 'pets.yaml') return innerList(fixtureShapes.pets.choose({}), '')
  throw new Error(`A mark of docs/scenarios.md names ${name}`)
}

/** A line for the field, and one for each within it. The fields of a list's items are named without the list. */
function fieldList(path: string, field: Field): readonly string[] {
  const { about, shape, examples, default: usual, assumption } = field
  const isExample = shownByExample.includes(field)
  const inner = isExample ? [] : innerList(shape, `${path}.`)
  const [first, ...others] = isExample ? examples.map(showFlow) : inner.length > 0 ? [] : valuesOf(field)
  const name = [first === undefined ? path : `${path}: ${first}`, ...others].map(code).join(' or ')
  const source = assumption === undefined ? about : about.replace(/\.$/, ` (${assumption}).`)
  return [`- ${name}: ${source}${usual === undefined ? '' : ` Default: ${code(usual)}.`}`, ...inner]
}

function innerList(shape: Shape, path: string): readonly string[] {
  switch (shape.type) {
    case 'map':
      return Object.entries(shape.fields).flatMap(([name, field]) => fieldList(`${path}${name}`, field))
    case 'names':
      return innerList(shape.each, `${path}NAME.`)
    case 'list':
      return innerList(shape.each, path.replace(/^(rules|events|walkthrough|pets)\.$/, ''))
    case 'either':
    case 'variants':
      return [...new Set(shape.options.flatMap(option => innerList(option, path)))]
    default:
      return []
  }
}

/** The words that a field takes, or values that show its form. Sentences show none. */
function valuesOf({ shape, examples }: Field): readonly string[] {
  const words = shape.type === 'choice' ? shape.schema.enum : undefined
  if (Array.isArray(words)) return [words.join('|')]
  const values = examples.filter(value => !/\s\S+\s/.test(`${value}`))
  if (shape.type === 'either') return values.map(showFlow)
  return (shape.type === 'json' ? values.slice(0, 1) : values.slice(-1)).map(showFlow)
}

function code(text: unknown): string {
  return `\`${text}\``
}

function faultList(): readonly string[] {
  return faults.flatMap(name => {
    const { effect, breaksBody, amount } = faultTraits[name]
    const forms = (amount?.forms ?? []).map(form => code(showFlow({ [name]: exampleOf(form) })))
    const rows = [
      [code(name), effect],
      [forms.join(' or '), amount?.effect],
    ].filter(([, about]) => about !== undefined)
    return rows.map(([form, about]) => `- ${form}${breaksBody ? '\\*' : ''}: ${about}`)
  })
}

function commandList(): readonly string[] {
  return Object.entries(command.options).map(([name, { fields }]) => {
    const { do: tag, ...others } = fields
    const parts = Object.entries(others).map(([own, { required }]) => code(`${own}${required ? '' : '?'}`))
    return `- ${[code(name), ...parts].join(' ')}: ${tag?.about ?? ''}`
  })
}
