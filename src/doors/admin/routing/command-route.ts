import * as z from 'zod'
import type { JsonValue } from '../../../base/json/value.ts'
import type { Command, CommandName } from '../../../control/change/command.ts'
import type { Changed } from '../../../control/change/intent.ts'
import type { RuleFields, ScenarioFile } from '../../../control/scenario/file.ts'
import { commandSchema } from '../../../control/scenario/schema/schema.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import type { ProblemCode } from '../../../service/call/problems.ts'
import { asSentence, json, refusal } from './replies.ts'
import { type Answering, type Asked, type Controls, type Route, route } from './route.ts'

interface CommandRoute
  extends Pick<Route, 'id' | 'method' | 'path' | 'tag'>,
    Partial<Pick<Route, 'sandbox'>> {
  readonly do: CommandName
  /** The one field that the whole body is, where it is not a field for each of those that are not in the path. */
  readonly wholeBody?: string
  readonly answer: Answering
  readonly refusals?: readonly ProblemCode[]
  /** What the answer shows of what was changed. */
  readonly show: (changed: Changed, asked: Asked<object, object, JsonValue>) => unknown
  /** The sandbox where none is named. */
  readonly usualSandbox?: '*'
}

/** A route that does a command: its fields are those of the path and of the body, put together and read by its schema. */
export function command({ do: name, wholeBody, show, usualSandbox, ...described }: CommandRoute): Route {
  const { shape, about } = fieldsOf(name)
  const inPath = [...described.path.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field)
  const pick = (isPicked: (field: string) => boolean): z.ZodRawShape =>
    Object.fromEntries(Object.entries(shape).filter(([field]) => isPicked(field)))
  const params = pick(field => inPath.includes(field))
  const fields = pick(field => field !== 'do' && !inPath.includes(field))
  const whole = wholeBody === undefined ? undefined : fields[wholeBody]
  return route<z.ZodRawShape, z.ZodRawShape, unknown>({
    sandbox: 'any',
    ...described,
    about,
    params,
    does: { name, wholeBody },
    body: (whole ?? z.strictObject(fields)) as z.ZodType<unknown>,
    serve: asked => {
      const { controls, body, now } = asked
      const said = wholeBody === undefined ? body : { [wholeBody]: body }
      const command = Object.assign({ do: name }, asked.params, said)
      const outcome = controls.change(asked.sandbox ?? usualSandbox, asCommand(command), now)
      if (!outcome.ok) return refusal(outcome.refusal.code, asSentence(outcome.refusal.message))
      return json(show(outcome.changed, asked as Asked<object, object, JsonValue>), described.answer.status)
    },
  })
}

/** All of its fields have been read by the command's own schema, each where it stood. */
function asCommand(fields: object): Command<ScenarioFile, RuleFields> {
  return fields as Command<ScenarioFile, RuleFields>
}

/** The world that a command has changed; of several, the last. */
export function changedWorld({ emulator }: Controls, sandboxes: readonly string[]): World {
  return emulator.sandboxes.get(sandboxes.at(-1) ?? '') ?? emulator.sandboxes.default
}

/** The fields of a command, and what it does, as its schema says. */
function fieldsOf(name: CommandName): { readonly shape: z.ZodRawShape; readonly about: string } {
  for (const { shape } of commandSchema.options) {
    if (shape.do.value === name) return { shape, about: shape.do.meta()?.description ?? name }
  }
  throw new Error(`There is no command ${name}`)
}
