import * as z from 'zod'
import type { ProblemCode } from '../call/problems.ts'
import type { Changed } from '../change/changing.ts'
import type { Command, CommandName } from '../change/command.ts'
import type { JsonObject } from '../json/value.ts'
import type { ScenarioFile } from '../scenario/file.ts'
import { commandSchema } from '../scenario/schema.ts'
import { json, refusal } from './replies.ts'
import { type Answering, type Asked, type Route, route } from './route.ts'

interface CommandRoute extends Pick<Route, 'id' | 'method' | 'path' | 'tag'> {
  readonly do: CommandName
  readonly answer: Answering
  readonly refusals?: readonly ProblemCode[]
  /** What the answer shows of what was changed. */
  readonly show: (changed: Changed, asked: AskedCommand) => unknown
  readonly headers?: (changed: Changed) => Readonly<Record<string, string>>
}

export type AskedCommand = Asked<JsonObject, JsonObject, JsonObject>

/** A route that does a command: its fields are those of the path and of the body, put together and read by its schema. */
export function command({ do: name, show, headers, ...described }: CommandRoute): Route {
  const { shape, about } = fieldsOf(name)
  const inPath = [...described.path.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field)
  const fields = Object.entries(shape)
  return route<z.ZodRawShape, z.ZodRawShape, JsonObject>({
    ...described,
    about,
    sandbox: 'any',
    params: Object.fromEntries(fields.filter(([field]) => inPath.includes(field))),
    body: z.strictObject(
      Object.fromEntries(fields.filter(([field]) => field !== 'do' && !inPath.includes(field))),
    ) as unknown as z.ZodType<JsonObject>,
    serve: asked => {
      const { controls, params, body, sandbox, now } = asked
      // Both parts have been read by the command's own schema.
      const command = { do: name, ...params, ...body } as unknown as Command<ScenarioFile>
      const outcome = controls.change(sandbox, command, now)
      if (!outcome.ok) return refusal(outcome.refusal.code, outcome.refusal.message)
      const { changed } = outcome
      return json(show(changed, asked as AskedCommand), described.answer.status, headers?.(changed))
    },
  })
}

/** The fields of a command, and what it does, as its schema says. */
function fieldsOf(name: CommandName): { readonly shape: z.ZodRawShape; readonly about: string } {
  for (const { shape } of commandSchema.options) {
    if (shape.do.value === name) return { shape, about: shape.do.meta()?.description ?? name }
  }
  throw new Error(`There is no command ${name}`)
}
