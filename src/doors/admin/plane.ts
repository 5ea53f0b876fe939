import { Hono } from 'hono/tiny'
import { lazily } from '../../base/lazily.ts'
import { didYouMean } from '../../base/text/did-you-mean.ts'
import { type Change, createChange } from '../../control/change/change.ts'
import { showValue } from '../../control/files/show.ts'
import type { Command } from '../../control/scenario/file.ts'
import { readForwarded } from '../../emulator/gates/caller.ts'
import type { Call } from '../../service/call/call.ts'
import type { Door } from '../../service/call/fault.ts'
import { headerValue } from '../../service/call/headers.ts'
import { readTarget } from '../../service/call/target.ts'
import { createGuard, type GuardOptions } from './guard.ts'
import type { FindPage } from './pages/find-page.ts'
import { routes } from './routes/routes.ts'
import { adminPath, isHealth, publicHealth } from './routing/address.ts'
import { bodyLimits, createBodyReader, type Lent } from './routing/read-body.ts'
import { json, protect, redirect, refusal, refusalOf, refuseMethod } from './routing/replies.ts'
import type { Controls } from './routing/route-context.ts'

export interface AdminOptions
  extends Omit<Controls, 'change' | 'readBody' | 'snapshotLimit' | 'contract'>,
    GuardOptions {
  /** Where the replies of the API go out. */
  readonly door: Door
  readonly snapshotLimit?: number
  /** The dashboard. Undefined: the plane has no pages but its reference. */
  readonly findPage?: FindPage | undefined
  /** A caller of the plane changed a sandbox; undefined: the default one. */
  readonly onChange?: (command: Command, sandbox: string | undefined, now: number) => void
  /** pet-mock failed on a call; the client got a 500 (A20). */
  readonly onError: (error: unknown, call: Call) => void
}

/** Answers a call to the admin plane, whose body it reads through the door. Rejects only if `findPage` does. */
export type AdminPlane = (call: Call, waiting: Lent) => Promise<Response>

interface Env {
  readonly Bindings: { readonly call: Call; readonly waiting: Lent }
}

export function createAdminPlane(options: AdminOptions): AdminPlane {
  const { emulator, fixtures, door, start, onChange, onError } = options
  const carryOut = createChange(emulator.sandboxes, fixtures, door)
  const change: Change = (sandbox, command, now) => {
    const outcome = carryOut(sandbox, command, now)
    if (outcome.ok) onChange?.(command, sandbox, now)
    return outcome
  }
  const { snapshotLimit = bodyLimits.snapshot } = options
  const readBody = createBodyReader(snapshotLimit)
  const contract = lazily(async () => {
    const { createContractText, jsonForm } = await import(
      '../../judges/contract/description/contract-text.ts'
    )
    const write = createContractText()
    return (url: string) => write(jsonForm, url, emulator.areas())
  })
  const controls = { ...options, change, readBody, snapshotLimit, contract }
  const guard = createGuard(options)
  const app = new Hono<Env>()
  for (const route of routes)
    app.on(route.method, pattern(route.path), ({ req, env: { call, waiting } }) => {
      const { query } = readTarget(call.target)
      const origin = originOf(call, options.trustProxy ?? false)
      const params = req.param()
      return route.serve({ controls, call, params, query, origin, now: call.receivedAt, waiting })
    })
  for (const path of new Set(routes.map(({ path }) => path))) {
    app.all(pattern(path), ({ req }) => explainMethod(path, req.method))
  }
  for (const [path, to] of descriptionLinks) {
    app.get(adminPath + path, () => redirect(to))
    app.all(adminPath + path, ({ req }) => explainMethod(path, req.method))
  }
  app.notFound(({ req }) => explainPath(req.path.slice(adminPath.length)))
  app.onError((error, { env }) => {
    if (error !== env.waiting.signal.reason) onError(error, env.call)
    return refusal('internal_error', 'pet-mock failed on this call. Its log says why.')
  })
  return async (call, waiting) => {
    emulator.sandboxes.note(call.receivedAt)
    const page = await options.findPage?.(call)
    const caller = guard(call, page?.access ?? (isHealth(call) ? 'health' : 'plane'))
    if (typeof caller === 'object') return protect(refusalOf(caller.refused))
    if (page !== undefined) return page.response
    return protect(caller === 'user' ? await answer(app, call, waiting) : json(publicHealth(start)))
  }
}

/** Paths that lead to the description. `./` is relative: a proxy may have removed a prefix of the path. */
const descriptionLinks: ReadonlyMap<string, string> = new Map([
  ['', `${adminPath}/openapi.json`],
  ['/', `${adminPath}/openapi.json`],
  ['/docs', './openapi.json'],
])

function answer(app: Hono<Env>, call: Call, waiting: Lent): Response | Promise<Response> {
  const { path, query } = readTarget(call.target)
  // The platform's Request rejects this method.
  if (call.method === 'TRACE') return explainMethod(path.slice(adminPath.length), call.method)
  const request = new Request(`http://admin${path}?${query}`, { method: call.method })
  return app.fetch(request, { call, waiting })
}

/** Where the caller sees the plane: scheme, host and the path before `/__admin`. */
function originOf({ target, headers, scheme }: Call, trustProxy: boolean): string {
  const forwarded = trustProxy ? readForwarded(headers) : undefined
  const host = forwarded?.host ?? readTarget(target).authority ?? headerValue(headers, 'host')
  const seen = typeof host === 'string' ? host : 'localhost'
  return `${forwarded?.scheme ?? scheme}://${seen}${forwarded?.prefix ?? ''}`
}

/** A path as Hono writes it: `/keys/:key`. */
function pattern(path: string): string {
  return adminPath + path.replace(/\{(\w+)\}/g, ':$1')
}
function explainPath(path: string): Response {
  const paths = routes.map(route => route.path)
  const meant = didYouMean(path, paths)
  const hint =
    meant === undefined ? `${adminPath}/docs lists all routes.` : `Did you mean ${adminPath}${meant}?`
  return refusal('not_found', `There is no route ${showValue(adminPath + path)}. ${hint}`)
}

function explainMethod(path: string, method: string): Response {
  const own = routes.filter(route => route.path === path)
  const methods = (descriptionLinks.has(path) ? [{ method: 'GET' }] : own).flatMap(route =>
    route.method === 'GET' ? ['GET', 'HEAD'] : [route.method],
  )
  const allow = [...methods, 'OPTIONS'].join(', ')
  return refuseMethod(method, allow, `${adminPath}${path} accepts ${allow}, not ${method}.`)
}
