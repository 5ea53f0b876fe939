import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { parse } from 'yaml'

const contract: { readonly components: { readonly schemas: Readonly<Record<string, object>> } } = parse(
  readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8'),
)

/** Compiles schemas of a description, which may refer to its components. */
export function createSchemas(description: object): (schema: object) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, validateFormats: true })
  formats.default(ajv)
  ajv.addSchema({ $id: 'description', ...description })
  return schema => ajv.compile(relocate(schema))
}

function relocate(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"description#/components/'))
}

const compile = createSchemas(contract)

/** The shapes of openapi.yaml that every answer is compared with. */
export const isError = compile({ $ref: '#/components/schemas/Error' })
export const isPet = compile({ $ref: '#/components/schemas/Pet' })
