import type { Changed } from '../../../control/change/intent.ts'
import type { Field } from '../../../control/fields/field.ts'
import type { Command, CommandName } from '../../../control/scenario/file.ts'
import { command as commands } from '../../../control/scenario/settings/scenario-file.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import { asSentence, json, refusal } from './replies.ts'
import type { RequestFields, RequestPart } from './request-fields.ts'
import { type Endpoint, type Route, route } from './route.ts'
import type { JsonSchema } from './views.ts'

export interface After {
  /** The changed worlds that still exist. */
  readonly worlds: readonly World[]
  /** The last of them. */
  readonly world: World
  readonly now: number
}

interface CommandRoute
  extends Partial<Pick<Route, 'sandbox' | 'usualSandbox' | 'refusals' | 'isSnapshot' | 'wholeBody'>> {
  readonly do: CommandName
  readonly on: Endpoint
  /** Adds what else is wrong with a body that its schema refuses. */
  readonly addProblems?: RequestPart<unknown>['addProblems']
  /** Describes the answer. */
  readonly about: string
  readonly schema: JsonSchema
  /** The value of the answer. */
  readonly show: (changed: Changed, after: After) => unknown
}

/** A route that sends a command. The command's schema validates the fields, from path and body together. */
export function command(definition: CommandRoute): Route {
  const { do: name, on, wholeBody, addProblems, about, schema, show, ...options } = definition
  const shape = commands.options[name]
  if (shape === undefined) throw new Error(`There is no command ${name}`)
  const { do: tag, ...own } = shape.fields
  const inPath = [...on[1].matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field)
  const isInPath = ([field]: readonly [string, Field]) => inPath.includes(field)
  const params = Object.entries(own).filter(isInPath)
  const fields = Object.fromEntries(Object.entries(own).filter(entry => !isInPath(entry)))
  const read = (value: unknown) => value
  const whole = wholeBody === undefined ? undefined : fields[wholeBody]
  const status = name.startsWith('add') ? 201 : 200
  return route<RequestFields, RequestFields, unknown>({
    id: name,
    on,
    about: tag?.about ?? name,
    sandbox: 'named',
    refusals: inPath.length === 0 ? [] : ['not_found'],
    ...options,
    ...(wholeBody !== undefined && { wholeBody }),
    params: Object.fromEntries(params.map(([name, field]) => [name, { ...field, read }])),
    body: { ...(whole ?? { shape: { ...shape, fields } }), ...(addProblems && { addProblems }), read },
    answer: { about, schema, status },
    serve: ({ controls, params, body, sandbox, now }) => {
      const sent = wholeBody === undefined ? body : { [wholeBody]: body }
      // The command's own schema has validated every field.
      const command = Object.assign({ do: name }, params, sent) as Command
      const outcome = controls.change(sandbox, command, now)
      if (!outcome.ok) return refusal(outcome.refusal.code, asSentence(outcome.refusal.message))
      const { sandboxes } = controls.emulator
      const worlds = outcome.changed.sandboxes.flatMap(changed => sandboxes.get(changed) ?? [])
      return json(show(outcome.changed, { worlds, world: worlds.at(-1) ?? sandboxes.default, now }), status)
    },
  })
}
