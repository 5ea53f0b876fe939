import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withScenarioFields } from '../../tools/build/scenario-page.ts'

/* Every field that the schemas have stands in a list of docs/scenarios.md. */

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly const?: unknown
  readonly default?: unknown
}

const page = readFileSync('docs/scenarios.md', 'utf8')
const schemaOf = (name: string): Schema => JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8'))
const { properties = {} } = schemaOf('scenario')

/** The lines of the list that has this field, or of the one with this name. */
function linesOf(name: string): readonly string[] {
  const lists = page.matchAll(/^<!--generated:(.+)-->\n([\s\S]*?)^<!--end-->/gm)
  const [, , list = ''] = [...lists].find(([, names]) => names?.split(',').includes(name)) ?? []
  return list.split('\n').filter(line => line.startsWith('- '))
}

/** The paths of all fields within a schema, with their defaults. Commands have a list of their own. */
function fieldsOf(schema: Schema, path: readonly string[]): [path: readonly string[], schema: Schema][] {
  const { additionalProperties: each, items } = schema
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]): [readonly string[], Schema][] => [
      [[...path, name], inner],
      ...(name === 'change' ? [] : fieldsOf(inner, [...path, name])),
    ]),
    ...(typeof each === 'object' ? fieldsOf(each, [...path, 'NAME']) : []),
    ...(typeof items === 'object' ? fieldsOf(items, path) : []),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(option => fieldsOf(option, path)),
  ]
}

/** The line of a field, or of the nearest field around it whose example has it. */
function lineOf(lines: readonly string[], path: readonly string[]): string | undefined {
  const starts = (line: string, name: string) =>
    line.startsWith(`- \`${name}\``) || line.startsWith(`- \`${name}: `)
  const own = lines.find(line => starts(line, path.join('.')))
  const around = path
    .map((_, index) => path.slice(0, -index - 1).join('.'))
    .find(name => lines.some(line => starts(line, name)))
  return (
    own ??
    lines.find(line => around !== undefined && starts(line, around) && line.includes(` ${path.at(-1)}: `))
  )
}

const lists = ['rules', 'events', 'walkthrough']
const fields = Object.entries(properties).flatMap(([name, schema]) => [
  [name, [name], schema] as const,
  ...fieldsOf(schema, lists.includes(name) ? [] : [name]).map(
    ([path, inner]) => [name, path, inner] as const,
  ),
])

test('the schema has all fields', () => {
  expect(fields.length).toBeGreaterThan(120)
})

test.each(fields.map(([top, path, schema]) => ({ top, path, schema, field: path.join('.') })))(
  '$top has a line for $field',
  ({ top, path, schema }) => {
    const [, isFault] = path
    const line =
      lineOf(linesOf(top), path) ??
      linesOf('faults').find(text => isFault === 'fault' && text.includes(` ${path.at(-1)}: `))
    expect(line).toBeDefined()
    if (schema.default !== undefined) expect(line).toContain(`Default: \`${schema.default}\`.`)
  },
)

test.each([...new Set(fieldsOf(schemaOf('pets'), []).map(([path]) => path.join('.')))])(
  'pets.yaml has a line for %s',
  field => {
    expect(lineOf(linesOf('pets.yaml'), [field.replace('pets.', '')])).toBeDefined()
  },
)

const commands =
  fieldsOf(properties.walkthrough ?? {}, []).find(([path]) => path.join('.') === 'change')?.[1].oneOf ?? []

test.each(commands.map(({ properties: own = {} }) => [own.do?.const, Object.keys(own)] as const))(
  'the command %s has a line with its fields',
  (name, names) => {
    const line = linesOf('commands').find(text => text.startsWith(`- \`${name}\``)) ?? ''
    const named = names.filter(own => own !== 'do')
    expect(named.filter(own => !line.includes(`\`${own}\``) && !line.includes(`\`${own}?\``))).toEqual([])
    expect(line).not.toBe('')
  },
)

test('npm run generate leaves the page as it is', () => {
  expect(withScenarioFields(page)).toBe(page)
})

test('a mark with an unknown name is refused', () => {
  expect(() => withScenarioFields('<!--generated:titel-->\n<!--end-->')).toThrow('titel')
})
