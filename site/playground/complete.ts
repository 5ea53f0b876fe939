/** A part of the JSON Schema of scenarios, as far as completion reads it. */
interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly examples?: readonly unknown[]
  readonly $defs?: Readonly<Record<string, Schema>>
}

interface Option {
  readonly label: string
  readonly apply?: string
  readonly info?: string
  readonly type: 'property' | 'constant'
}

/** What may stand at the end of a text: the fields of a map, or the values of a field. */
export async function completionsAt(before: string): Promise<readonly Option[]> {
  const root = (await import('../../schemas/scenario.schema.json')).default as unknown as Schema
  const { path, isValue } = placeAtEnd(before)
  const schemas = path.reduce(
    (found, step) => found.flatMap(one => below(one, step, root)),
    alternatives(root, root),
  )
  const options = isValue ? schemas.flatMap(valuesOf) : schemas.flatMap(fieldsOf)
  return [...new Map(options.map(option => [option.label, option])).values()]
}

/** The keys that lead to the end of a text of YAML, in blocks and in braces. A list's items are `*`. */
export function placeAtEnd(before: string): { readonly path: readonly string[]; readonly isValue: boolean } {
  const lines = before.split('\n')
  const last = lines.at(-1) ?? ''
  const path: string[] = []
  let indent = last.search(/[^\s-]|$/)
  if (/^\s*-\s/.test(last)) path.unshift('*')
  for (const line of lines.slice(0, -1).reverse()) {
    const [, space = '', dash = '', key] = /^(\s*)((?:- +)*)([\w-]+):(?:\s|$)/.exec(line) ?? []
    const start = space.length + dash.length
    if (key === undefined || start > indent || (start === indent && dash === '')) continue
    if (start < indent) path.unshift(key)
    if (dash !== '') path.unshift('*')
    indent = space.length
    if (indent === 0 && dash === '') break
  }
  const opened: string[] = []
  const own = last.replace(/^[\s-]*/, '')
  for (const [, key, sign] of own.matchAll(/(?:([\w-]+):\s*)?([{}[\]]|$)/g)) {
    if (sign === '{' && key !== undefined) opened.push(key)
    if (sign === '{' && key === undefined) opened.push('*')
    if (sign === '}') opened.pop()
  }
  const inBraces = own.split(/[{,]/).at(-1) ?? ''
  const [, field] = /([\w-]+):\s*$/.exec(inBraces) ?? []
  return { path: [...path, ...opened, ...(field === undefined ? [] : [field])], isValue: field !== undefined }
}

function alternatives(schema: Schema, root: Schema): readonly Schema[] {
  const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema
  const named = $ref === undefined ? undefined : root.$defs?.[$ref.replace('#/$defs/', '')]
  const more = [...anyOf, ...oneOf, ...allOf, ...(named === undefined ? [] : [named])]
  return [schema, ...more.flatMap(one => alternatives(one, root))]
}

function below(
  { properties, additionalProperties, items }: Schema,
  step: string,
  root: Schema,
): readonly Schema[] {
  const other = typeof additionalProperties === 'object' ? additionalProperties : undefined
  const found = step === '*' ? items : (properties?.[step] ?? other)
  return found === undefined ? [] : alternatives(found, root)
}

function fieldsOf({ properties = {} }: Schema): readonly Option[] {
  return Object.entries(properties).map(([label, { description }]) => ({
    label,
    apply: `${label}: `,
    type: 'property' as const,
    ...(description !== undefined && { info: description }),
  }))
}

function valuesOf(schema: Schema): readonly Option[] {
  const values = schema.enum ?? ('const' in schema ? [schema.const] : (schema.examples ?? []))
  return values
    .filter(value => ['string', 'number', 'boolean'].includes(typeof value))
    .map(value => ({ label: String(value), type: 'constant' as const }))
}
