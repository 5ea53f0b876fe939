import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { readDocument } from '../../../src/control/files/document.ts'
import { scenarioJsonSchema } from '../../../src/control/scenario/settings/scenario-file.ts'
import { brokenFiles } from './broken-files.ts'

const schema = JSON.parse(readFileSync('schemas/scenario.schema.json', 'utf8'))
const validate = new Ajv({ strict: true, allowUnionTypes: true, formats: { int64: true } }).compile(schema)

/** As a validator sees it: numbers, where we have bigints. */
async function jsonOf(text: string): Promise<unknown> {
  const document = await readDocument('f.yaml', text)
  if (!document.ok) throw new Error('must be YAML')
  return JSON.parse(
    JSON.stringify(document.value.value, (_name, value) =>
      typeof value === 'bigint' ? Number(value) : value,
    ),
  )
}

test('the schema that is checked in is the one that the code prints', () => {
  expect(schema).toEqual(JSON.parse(JSON.stringify(scenarioJsonSchema())))
})

test.each(readdirSync('schemas'))('%s has an id that is its name', file => {
  const { $id } = JSON.parse(readFileSync(`schemas/${file}`, 'utf8'))
  expect(`${$id}.schema.json`).toBe(`urn:pet-mock:${file}`)
})

test.each(readdirSync('scenarios'))('a validator accepts %s', async file => {
  expect(
    validate(await jsonOf(readFileSync(`scenarios/${file}`, 'utf8'))),
    JSON.stringify(validate.errors),
  ).toBe(true)
})

test.each(brokenFiles.filter(({ bySchema }) => bySchema))('a validator refuses $text', async ({ text }) => {
  expect(validate(await jsonOf(text))).toBe(false)
})

test.each(brokenFiles.filter(({ bySchema }) => !bySchema))(
  'a validator cannot see what is wrong with $text',
  async ({ text }) => {
    expect(validate(await jsonOf(text))).toBe(true)
  },
)

test('every field has a description and an example, and each example is as the schema says', () => {
  for (const [path, field] of fieldsOf(schema, [])) {
    expect(field.description, path).toMatch(/^\S.*\.$/)
    expect(field.examples, path).not.toEqual(undefined)
    for (const example of field.examples ?? []) {
      const whole = path.split('.').reduceRight<unknown>((value, name) => ({ [name]: value }), example)
      if (!path.includes('*'))
        expect(validate(whole), `${path}: ${JSON.stringify(validate.errors)}`).toBe(true)
    }
  }
})

interface SchemaField {
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, SchemaField>>
  readonly items?: SchemaField
  readonly additionalProperties?: SchemaField | boolean
  readonly anyOf?: readonly SchemaField[]
  readonly oneOf?: readonly SchemaField[]
}

function* fieldsOf(at: SchemaField, path: readonly string[]): Generator<[string, SchemaField]> {
  for (const [name, field] of Object.entries(at.properties ?? {})) {
    yield [[...path, name].join('.'), field]
    yield* fieldsOf(field, [...path, name])
  }
  const inner = [at.items, typeof at.additionalProperties === 'object' ? at.additionalProperties : undefined]
  for (const schema of inner) if (schema !== undefined) yield* fieldsOf(schema, [...path, '*'])
  for (const branch of [...(at.anyOf ?? []), ...(at.oneOf ?? [])]) yield* fieldsOf(branch, path)
}
