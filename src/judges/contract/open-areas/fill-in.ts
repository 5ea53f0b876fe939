import { isJsonObject } from '../../../base/json/is-object.ts'
import type { JsonObject, JsonValue } from '../../../base/json/value.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import type { CallContext } from '../../../emulator/gates/call-context.ts'
import type { ExchangeTexts } from '../prism/exchange-texts.ts'
import { exactly } from '../prism/for-prism.ts'
import type { CollectionPlan } from './find-collections.ts'
import { mockReply } from './prism-mocker.ts'

/**
 * Adds the properties that the service would add to a record: defaults, and required properties that the client did not
 * send. An instant becomes the emulator's time; Prism's mocker generates all others.
 */
export async function fillIn(
  { create, shape }: CollectionPlan,
  record: JsonObject,
  request: ExchangeTexts,
  { world, at }: CallContext,
): Promise<JsonObject> {
  const filled: Record<string, JsonValue> = { ...record }
  for (const [name, schema] of shape.properties) {
    if (name in filled) continue
    if (schema.default !== undefined) filled[name] = exactly(schema.default)
    else if (shape.required.has(name) && schema.format === 'date-time') filled[name] = formatInstant(at)
  }
  const missing = [...shape.required].filter(name => !(name in filled))
  if (missing.length === 0) return filled
  const { body } = await mockReply(create.operation, request, seedOf(world.scenario.seed, request))
  for (const name of missing) {
    const value = isJsonObject(body) ? body[name] : undefined
    if (value !== undefined) filled[name] = value
  }
  return filled
}

/** The mocker's seed for a request: equal requests get equal answers. */
export function seedOf(seed: number, { method, target, requestBody = '' }: ExchangeTexts): string {
  return JSON.stringify([seed, method, target, requestBody])
}
