import { fileURLToPath } from 'node:url'
import { bundle, loadConfig } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as z from 'zod'

const ContractResponse = z.object({
  headers: z.record(z.string(), z.object({ schema: z.looseObject({}) })).default({}),
  /** Absent from responses without a body, such as a 204. */
  content: z.object({ 'application/json': z.object({ schema: z.looseObject({}) }) }).optional(),
})
const ContractOperation = z.object({
  operationId: z.string(),
  responses: z.record(z.string(), ContractResponse),
})
const Paths = z.object({ paths: z.record(z.string(), z.record(z.string(), ContractOperation)) })

export type ContractOperation = z.infer<typeof ContractOperation>
export type ContractResponse = z.infer<typeof ContractResponse>

/** The operations of openapi.yaml with every reference resolved. */
export async function loadOperations(): Promise<readonly ContractOperation[]> {
  const ref = fileURLToPath(new URL('../../openapi.yaml', import.meta.url))
  const config = await loadConfig({
    configPath: fileURLToPath(new URL('./redocly.yaml', import.meta.url)),
  })
  const { paths } = Paths.parse((await bundle({ ref, config, dereference: true })).bundle.parsed)
  return Object.values(paths).flatMap(path => Object.values(path))
}

/** What is wrong with a value by a schema of the contract; empty when nothing is. */
export function createValidator(): (schema: object, value: unknown) => string {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { int64: true, int32: true, 'uri-reference': true },
  })
  return (schema, value) => (ajv.validate(schema, value) ? '' : ajv.errorsText())
}
