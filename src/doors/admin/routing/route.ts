import { texts } from '../../../base/text/constraint.ts'
import { suggest } from '../../../base/text/did-you-mean.ts'
import type { Changed } from '../../../control/change/intent.ts'
import type { Field } from '../../../control/fields/field.ts'
import { showValue } from '../../../control/files/show.ts'
import type { Command, CommandName } from '../../../control/scenario/file.ts'
import { command as commands } from '../../../control/scenario/settings/scenario-file.ts'
import { sandboxNames } from '../../../emulator/worlds/constraints.ts'
import type { Sandboxes } from '../../../emulator/worlds/sandboxes.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import type { ProblemCode } from '../../../service/call/problems.ts'
import { asSentence, journalIsOff, json, refusal } from './replies.ts'
import { partOf, type RequestFields, type RequestPart, textField, type ValuesOf } from './request-fields.ts'
import { type RouteContext, readJson, readRequest } from './route-context.ts'
import type { JsonSchema } from './views.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A method and a path below `/__admin`, as OpenAPI writes it: `/keys/{key}/ban`. */
export type Endpoint = readonly [method: Method, path: `/${string}`]

/** The response of a call that is not refused. */
interface Answering {
  readonly about: string
  /** Default: 200. */
  readonly status?: number
  /** Default: `application/json`. */
  readonly type?: string
  /** Default: any text. */
  readonly schema?: JsonSchema
}

/**
 * The sandboxes that a route is about: an existing one, existing ones (`*`), any names, which need not exist, or none:
 * then it ignores the parameter.
 */
type SandboxScope = 'one' | 'any' | 'named' | 'none'

interface Described {
  /** The operation id, for clients that are generated from the description. */
  readonly id: string
  readonly about: string
  readonly sandbox: SandboxScope
  /** The sandbox of a call that names none. Default: the default one. */
  readonly usualSandbox?: '*'
  readonly answer: Answering
  /** Whether the route reads the journals, and so is refused while they are off. */
  readonly readsJournal?: true
  /** Codes besides those of every route. Default: `not_found` if the sandbox must exist. */
  readonly refusals?: readonly ProblemCode[]
  /** Whether the body is a snapshot, which may be large. */
  readonly isSnapshot?: true
  /** The one field of its command that the body holds whole. Default: the body has every field that the path does not have. */
  readonly wholeBody?: string
}

/** A row of the table from which routing, validation, the OpenAPI description and the docs page are made. */
export interface Route extends Described {
  readonly method: Method
  readonly path: string
  readonly refusals: readonly ProblemCode[]
  readonly params: RequestPart<unknown>
  readonly query: RequestPart<unknown>
  readonly body: RequestPart<unknown> | undefined
  readonly serve: (context: RouteContext) => Promise<Response>
}

export interface RouteGroup {
  readonly name: string
  readonly about: string
  readonly routes: readonly Route[]
}

export interface RouteRequest<Params = unknown, Query = unknown, Body = unknown>
  extends Pick<RouteContext, 'controls' | 'origin' | 'now' | 'waiting'> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The sandbox that the call names, or `*`. */
  readonly sandbox: string | undefined
  /** Its world, or all worlds for `*`. Empty if the sandbox need not exist. */
  readonly worlds: readonly World[]
  /** The first of them, or the default one. */
  readonly world: World
}

interface Definition<P extends RequestFields, Q extends RequestFields, B> extends Described {
  readonly on: Endpoint
  readonly params?: P
  readonly query?: Q
  /** A missing body is read as `{}`. */
  readonly body?: RequestPart<B>
  readonly serve: (request: RouteRequest<ValuesOf<P>, ValuesOf<Q>, B>) => Response | Promise<Response>
}

type Nothing = Record<never, never>

/** A route that checks its calls before it serves them. */
export function route<P extends RequestFields = Nothing, Q extends RequestFields = Nothing, B = undefined>(
  definition: Definition<P, Q, B>,
): Route {
  const { on, body, sandbox: scope } = definition
  const [method, path] = on
  const mustExist = scope === 'one' || scope === 'any'
  const params = partOf({ ...definition.params })
  const query = partOf({ ...definition.query, sandbox: sandboxParameter(scope) })
  return {
    ...definition,
    refusals: [
      ...(definition.refusals ?? (mustExist ? ['not_found' as const] : [])),
      ...(definition.readsJournal ? ['journal_off' as const] : []),
    ],
    method,
    path,
    params,
    query,
    body,
    serve: async context => {
      const sent =
        body === undefined ? { value: {} } : await readJson(context, definition.isSnapshot ?? false)
      if ('refusal' in sent) return sent.refusal
      const reading = readRequest({ ...context, body: sent.value }, { params, query, body })
      if ('refusal' in reading) return reading.refusal
      const { sandbox = definition.usualSandbox, ...own } = reading.query
      const { controls, origin, now, waiting } = context
      const { sandboxes } = controls.emulator
      if (definition.readsJournal && sandboxes.journals.limits.entries === 0) return journalIsOff()
      const worlds = mustExist ? findWorlds(sandboxes, sandbox) : []
      if (worlds instanceof Response) return worlds
      const world = worlds[0] ?? sandboxes.default
      const request = { controls, origin, now, waiting, ...reading, query: own, sandbox, worlds, world }
      // The compiler cannot see that the schemas, made by spreading, still have the definition's types.
      return definition.serve(request as Parameters<typeof definition.serve>[0])
    },
  }
}

const nameOrAll = texts(
  `${sandboxNames.expected}; or * for all`,
  new RegExp(`${sandboxNames.pattern.source}|^[*]$`),
)

/** The parameter that every route accepts, so that a client can send it with every call. */
function sandboxParameter(scope: SandboxScope) {
  const all = scope === 'any' || scope === 'named' ? '; `*` for all of them' : ''
  return textField(scope === 'one' ? sandboxNames : nameOrAll, `The sandbox${all}. Default: default.`)
}

/** The worlds of the named sandbox, of all (`*`), or of the default one if there is no name. */
function findWorlds(sandboxes: Sandboxes, named: string | undefined): readonly World[] | Response {
  const names = sandboxes.names()
  if (named === '*') return names.flatMap(known => sandboxes.get(known) ?? [])
  const world = sandboxes.get(named ?? sandboxes.default.sandbox)
  if (world !== undefined) return [world]
  const hint = suggest(named ?? '', names) || '; the first call with its name creates it.'
  return refusal('not_found', `There is no sandbox ${showValue(named)}${hint}`)
}

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
  readonly addProblems?: RequestPart<unknown>['addProblems']
  readonly about: string
  readonly schema: JsonSchema
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
