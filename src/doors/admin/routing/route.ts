import * as z from 'zod'
import type { CommandName } from '../../../control/change/command.ts'
import type { Change } from '../../../control/scenario/scenario-commands.ts'
import type { Emulator } from '../../../emulator/emulator.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import type { ProblemCode } from '../../../service/call/problems.ts'
import { type Given, readGiven } from './route-context.ts'
import { findWorld, type SandboxScope, sandboxParameter } from './sandbox.ts'
import type { Waiting } from './waiting.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What the routes are served from. */
export interface Controls {
  readonly emulator: Emulator
  readonly change: Change
  /** Of pet-mock. */
  readonly version: string
}

/** A call of a route, read and found right. */
export interface Asked<Params, Query, Body> {
  readonly controls: Controls
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The sandbox that is named, `*` where the route takes it. */
  readonly sandbox: string | undefined
  /** Where the caller reaches this server: scheme and authority. */
  readonly origin: string
  /** The door's time: milliseconds since the epoch. */
  readonly now: number
  readonly waiting: Waiting
}

/** What a route answers when it does not refuse. */
export interface Answering {
  readonly about: string
  /** Default: 200. */
  readonly status?: number
  /** Default: `application/json`. */
  readonly type?: string
  /** Default: any text. */
  readonly schema?: z.ZodType
}

export const tags = {
  Server: 'What is running.',
  World: 'Everything in a sandbox at once: scenario, reset, snapshot.',
  Clock: 'The clock that windows, bans, expiry and removal follow.',
  Keys: 'API keys and how they stand.',
  Pets: 'The pets in the store.',
  Rules: 'What goes wrong on purpose.',
  Requests: 'What was called, what it was answered, and why.',
} as const

interface Described {
  /** The operation's name, for programs that are made from the description. */
  readonly id: string
  readonly method: Method
  /** Below `/__admin`, as OpenAPI writes it: `/keys/{key}/ban`. */
  readonly path: string
  readonly tag: keyof typeof tags
  /** A sentence. */
  readonly about: string
  readonly sandbox: SandboxScope
  readonly answer: Answering
  /** Beside those that every route has. */
  readonly refusals?: readonly ProblemCode[]
}

/** The command that a route does, and the one field that its whole body is, where it is not a field for each. */
interface Done {
  readonly name: CommandName
  readonly wholeBody: string | undefined
}

interface Definition<P extends z.ZodRawShape, Q extends z.ZodRawShape, B> extends Described {
  readonly params?: P
  readonly query?: Q
  /** What a body must be; one that is not there is `{}` to it. */
  readonly body?: z.ZodType<B>
  readonly does?: Done
  readonly serve: (asked: AskedBy<P, Q, B>) => Response | Promise<Response>
}

type AskedBy<P extends z.ZodRawShape, Q extends z.ZodRawShape, B> = Asked<
  z.output<z.ZodObject<P>>,
  z.output<z.ZodObject<Q>>,
  B
>

/** A row of the table that routing, reading, the OpenAPI description and the page for people are all made from. */
export interface Route extends Described {
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  readonly body: z.ZodType | undefined
  readonly does?: Done
  readonly serve: (given: Given, controls: Controls) => Response | Promise<Response>
}

type Nothing = Record<never, z.ZodType>

/** A route whose call is read by its schemas before it is served. */
export function route<P extends z.ZodRawShape = Nothing, Q extends z.ZodRawShape = Nothing, B = undefined>(
  definition: Definition<P, Q, B>,
): Route {
  const params = z.strictObject({ ...definition.params })
  const query = z.strictObject({
    ...definition.query,
    sandbox: sandboxParameter(definition.sandbox),
  })
  return {
    ...definition,
    params,
    query,
    body: definition.body,
    serve: (given, controls) => {
      const reading = readGiven(given, { params, query, body: definition.body })
      if ('refusal' in reading) return reading.refusal
      const { sandbox, ...own } = reading.query
      const { origin, now, waiting } = given
      const asked = {
        controls,
        params: reading.params,
        query: own,
        body: reading.body,
        sandbox,
        origin,
        now,
        waiting,
      }
      // The schemas were put together from the definition's own: spreading them has lost their names to the compiler.
      return definition.serve(asked as Parameters<typeof definition.serve>[0])
    },
  }
}

type WorldDefinition<P extends z.ZodRawShape, Q extends z.ZodRawShape, B> = Omit<
  Definition<P, Q, B>,
  'sandbox' | 'serve'
> & {
  readonly serve: (world: World, asked: AskedBy<P, Q, B>) => Response | Promise<Response>
}

/** A route that tells of one sandbox's world, which must be there. */
export function worldRoute<
  P extends z.ZodRawShape = Nothing,
  Q extends z.ZodRawShape = Nothing,
  B = undefined,
>(definition: WorldDefinition<P, Q, B>): Route {
  const { serve, refusals = [], ...described } = definition
  return route<P, Q, B>({
    ...described,
    sandbox: 'one',
    refusals: [...refusals, 'not_found'],
    serve: asked => {
      const world = findWorld(asked.controls.emulator.sandboxes, asked.sandbox)
      return world instanceof Response ? world : serve(world, asked)
    },
  })
}
