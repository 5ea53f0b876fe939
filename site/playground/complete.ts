import type { Completion } from '@codemirror/autocomplete'
import { isPair, isScalar, isSeq, parseDocument, visit } from 'yaml'

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

/** What may stand at the end of a text: the fields of a map, or the values of a field. */
export async function completionsAt(before: string): Promise<readonly Completion[]> {
  const root = (await import('../../schemas/scenario.schema.json')).default as unknown as Schema
  const { path, isValue } = placeAtEnd(before)
  const schemas = path.reduce<readonly Schema[]>(
    (found, step) => found.flatMap(one => below(one, step, root)),
    alternatives(root, root),
  )
  const options = isValue ? schemas.flatMap(valuesOf) : schemas.flatMap(fieldsOf)
  return [...new Map(options.map(option => [option.label, option])).values()]
}

/** Stands where the next word goes. */
const mark = '\u2055'

/** The keys that lead to the end of a text of YAML. A list's items are `*`. */
function placeAtEnd(before: string): { readonly path: readonly unknown[]; readonly isValue: boolean } {
  let path: readonly unknown[] = []
  visit(parseDocument(before + mark), {
    Scalar: (_, { value }, above) => {
      if (value !== mark) return undefined
      const steps = above.map(one => (isSeq(one) ? '*' : isPair(one) && isScalar(one.key) && one.key.value))
      path = steps.filter(step => typeof step === 'string' && step !== mark)
      return visit.BREAK
    },
  })
  return { path, isValue: /:[ \t]+$/.test(before) }
}

function alternatives(schema: Schema, root: Schema): readonly Schema[] {
  const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema
  const named = $ref === undefined ? undefined : root.$defs?.[$ref.replace('#/$defs/', '')]
  const more = [...anyOf, ...oneOf, ...allOf, ...(named === undefined ? [] : [named])]
  return [schema, ...more.flatMap(one => alternatives(one, root))]
}

function below(schema: Schema, step: unknown, root: Schema): readonly Schema[] {
  const { properties, additionalProperties, items } = schema
  const other = typeof additionalProperties === 'object' ? additionalProperties : undefined
  const found = step === '*' ? items : (properties?.[String(step)] ?? other)
  return found === undefined ? [] : alternatives(found, root)
}

function fieldsOf({ properties = {} }: Schema): readonly Completion[] {
  return Object.entries(properties).map(([label, { description }]) => ({
    label,
    apply: `${label}: `,
    type: 'property',
    ...(description !== undefined && { info: description }),
  }))
}

function valuesOf(schema: Schema): readonly Completion[] {
  const values = schema.enum ?? ('const' in schema ? [schema.const] : (schema.examples ?? []))
  return values
    .filter(value => ['string', 'number', 'boolean'].includes(typeof value))
    .map(value => ({ label: String(value), type: 'constant' }))
}
