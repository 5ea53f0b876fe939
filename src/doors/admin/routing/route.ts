import type { CommandName } from '../../../control/scenario/file.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import type { ProblemCode } from '../../../service/call/problems.ts'
import { partOf, type RequestFields, type RequestPart, type ValuesOf } from './request-fields.ts'
import { type RouteContext, readRequest } from './route-context.ts'
import { findWorlds, type SandboxScope, sandboxParameter } from './sandbox.ts'
import type { JsonSchema } from './views.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A method and a path below `/__admin`, as OpenAPI writes it: `/keys/{key}/ban`. */
export type Endpoint = readonly [method: Method, path: `/${string}`]

/** The answer of a call that is not refused. */
export interface Answering {
  readonly about: string
  /** Default: 200. */
  readonly status?: number
  /** Default: `application/json`. */
  readonly type?: string
  /** Default: any text. */
  readonly schema?: JsonSchema
}

interface Described {
  /** The operation id, for clients that are generated from the description. */
  readonly id: string
  /** One sentence. */
  readonly about: string
  readonly sandbox: SandboxScope
  /** The sandbox of a call that names none. Default: the default one. */
  readonly usualSandbox?: '*'
  readonly answer: Answering
  /** Codes besides those of every route. Default: `not_found` if the sandbox must exist. */
  readonly refusals?: readonly ProblemCode[]
  /** The command that the route sends, and the one field that the body holds whole, if there is one. */
  readonly command?: { readonly name: CommandName; readonly wholeBody: string | undefined }
}

/** A row of the table from which routing, validation, the OpenAPI description and the docs page are made. */
export interface Route extends Described {
  readonly method: Method
  readonly path: string
  readonly refusals: readonly ProblemCode[]
  readonly params: RequestPart<unknown>
  readonly query: RequestPart<unknown>
  readonly body: RequestPart<unknown> | undefined
  readonly serve: (context: RouteContext) => Response | Promise<Response>
}

/** Routes under one heading. */
export interface RouteGroup {
  readonly name: string
  readonly about: string
  readonly routes: readonly Route[]
}

/** A valid call of a route. */
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

type RequestOf<P extends RequestFields, Q extends RequestFields, B> = RouteRequest<
  ValuesOf<P>,
  ValuesOf<Q>,
  B
>

interface Definition<P extends RequestFields, Q extends RequestFields, B> extends Described {
  readonly on: Endpoint
  readonly params?: P
  readonly query?: Q
  /** A missing body is read as `{}`. */
  readonly body?: RequestPart<B>
  readonly serve: (request: RequestOf<P, Q, B>) => Response | Promise<Response>
}

type Nothing = Record<never, never>

/** A route that checks its calls before it serves them. */
export function route<P extends RequestFields = Nothing, Q extends RequestFields = Nothing, B = undefined>(
  definition: Definition<P, Q, B>,
): Route {
  const {
    on: [method, path],
    body,
    sandbox: scope,
  } = definition
  const mustExist = scope === 'one' || scope === 'any'
  const params = partOf({ ...definition.params })
  const query = partOf({ ...definition.query, sandbox: sandboxParameter(scope) })
  return {
    refusals: mustExist ? ['not_found'] : [],
    ...definition,
    method,
    path,
    params,
    query,
    body,
    serve: context => {
      const reading = readRequest(context, { params, query, body })
      if ('refusal' in reading) return reading.refusal
      const { sandbox = definition.usualSandbox, ...own } = reading.query
      const { controls, origin, now, waiting } = context
      const { sandboxes } = controls.emulator
      const worlds = mustExist ? findWorlds(sandboxes, sandbox) : []
      if (worlds instanceof Response) return worlds
      const world = worlds[0] ?? sandboxes.default
      const request = { controls, origin, now, waiting, ...reading, query: own, sandbox, worlds, world }
      // The compiler cannot see that the schemas, made by spreading, still have the definition's types.
      return definition.serve(request as Parameters<typeof definition.serve>[0])
    },
  }
}
