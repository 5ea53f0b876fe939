import * as z from 'zod'
import type { Command, CommandName } from '../../../control/change/command.ts'
import type { Changed } from '../../../control/change/intent.ts'
import type { RuleFields, ScenarioFile } from '../../../control/scenario/file.ts'
import { commandSchema } from '../../../control/scenario/schema/schema.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import { asSentence, json, refusal } from './replies.ts'
import { type Endpoint, type Route, route } from './route.ts'

/** The state after a command. */
export interface After {
  /** The changed worlds that still exist. */
  readonly worlds: readonly World[]
  /** The last of them. */
  readonly world: World
  readonly now: number
}

interface CommandRoute extends Partial<Pick<Route, 'sandbox' | 'refusals'>> {
  readonly do: CommandName
  readonly on: Endpoint
  /** The one field that the body holds whole. Default: the body has every field that the path does not have. */
  readonly wholeBody?: string
  /** Describes the answer. */
  readonly about: string
  readonly schema: z.ZodType
  /** The value of the answer. */
  readonly show: (changed: Changed, after: After) => unknown
  /** Default: the default sandbox. */
  readonly usualSandbox?: '*'
}

/** A route that sends a command. The command's schema validates the fields, from path and body together. */
export function command(definition: CommandRoute): Route {
  const { do: name, on, wholeBody, about, schema, show, usualSandbox, ...options } = definition
  const { shape, description } = readSchema(name)
  const inPath = [...on[1].matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field)
  const pick = (isPicked: (field: string) => boolean): z.ZodRawShape =>
    Object.fromEntries(Object.entries(shape).filter(([field]) => isPicked(field)))
  const fields = pick(field => field !== 'do' && !inPath.includes(field))
  const whole = wholeBody === undefined ? undefined : fields[wholeBody]
  const status = name.startsWith('add') ? 201 : 200
  return route<z.ZodRawShape, z.ZodRawShape, unknown>({
    id: name,
    on,
    about: description,
    sandbox: 'any',
    refusals: inPath.length === 0 ? [] : ['not_found'],
    ...options,
    command: { name, wholeBody },
    params: pick(field => inPath.includes(field)),
    body: (whole ?? z.strictObject(fields)) as z.ZodType<unknown>,
    answer: { about, schema, status },
    serve: ({ controls, params, body, sandbox = usualSandbox, now }) => {
      const command = Object.assign(
        { do: name },
        params,
        wholeBody === undefined ? body : { [wholeBody]: body },
      )
      const outcome = controls.change(sandbox, asCommand(command), now)
      if (!outcome.ok) return refusal(outcome.refusal.code, asSentence(outcome.refusal.message))
      const { sandboxes } = controls.emulator
      const worlds = outcome.changed.sandboxes.flatMap(changed => sandboxes.get(changed) ?? [])
      return json(show(outcome.changed, { worlds, world: worlds.at(-1) ?? sandboxes.default, now }), status)
    },
  })
}

/** The command's own schema has validated every field. */
function asCommand(fields: object): Command<ScenarioFile, RuleFields> {
  return fields as Command<ScenarioFile, RuleFields>
}

function readSchema(name: CommandName): { readonly shape: z.ZodRawShape; readonly description: string } {
  for (const { shape } of commandSchema.options) {
    if (shape.do.value === name) return { shape, description: shape.do.meta()?.description ?? name }
  }
  throw new Error(`There is no command ${name}`)
}
