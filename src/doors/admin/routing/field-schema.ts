import * as z from 'zod'
import { check } from '../../../control/fields/check.ts'
import type { Shape } from '../../../control/fields/field.ts'
import { jsonSchema } from '../../../control/fields/json-schema.ts'
import { scenario } from '../../../control/scenario/settings/scenario.ts'

const scenarioRef = '#/$defs/Scenario'

/** A declared shape as a zod schema: its own check finds what is wrong, and its own JSON Schema describes it. */
export function schemaOf(shape: Shape): z.ZodType<unknown> {
  const own = jsonSchema(shape, scenarioRef)
  const hasScenario = JSON.stringify(own).includes(scenarioRef)
  return z
    .custom<unknown>(() => true)
    .superRefine((value, context) => {
      for (const { path, message, part } of check(shape, value))
        context.addIssue({ code: 'custom', path: [...path], message, params: { part } })
    })
    .meta({ ...own, ...(hasScenario && { $defs: { Scenario: jsonSchema(scenario, scenarioRef) } }) })
}
