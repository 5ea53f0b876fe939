import type { AllowedOrigins } from '../../../emulator/replies/cors.ts'
import type { Call } from '../../../service/call/call.ts'
import { readTarget } from '../../../service/call/target.ts'
import { type Access, adminPath } from '../routing/address.ts'
import { protect, redirect, refusal, refuseMethod } from '../routing/replies.ts'
import { type Delivery, type ReadPageFile, sendFile } from './send-file.ts'
import { isReading, wantsPage } from './wants-page.ts'

interface PageOptions {
  readonly read: ReadPageFile
  /** Whose pages may read the API, and frame the panel. */
  readonly cors: AllowedOrigins
}

/** The response to a call for a static file, and who may have it. It holds no data of the server. */
export interface Page {
  readonly access: Access
  readonly response: Response
}

/** Finds the page of a call. Undefined: the call is for the plane itself. */
export type FindPage = (call: Call) => Promise<Page | undefined>

interface Place extends Delivery {
  readonly access: Access
  readonly path: string
}

/** Their names change with their content. */
const assets = /^\/(assets\/[\w-][\w.-]*)$/

export function createPages({ read, cors }: PageOptions): FindPage {
  const place = (access: Access, path: string, headers: Delivery['headers'], isHashed = false): Place => {
    return { access, path, headers, isHashed }
  }
  const shell = place('page', 'index.html', pageHeaders("'none'"))
  const panel = place('frame', 'panel.html', pageHeaders(panelFrames(cors)))
  const anyPage = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' }
  const script = place('script', 'panel.js', anyPage)
  const placeOf = (path: string): Place | undefined => {
    if (path === '/panel') return panel
    if (path === '/panel.js') return script
    const asset = assets.exec(path)?.[1]
    return asset === undefined ? undefined : place('file', asset, { 'Referrer-Policy': 'no-referrer' }, true)
  }
  return async call => {
    const path = readTarget(call.target).path.slice(adminPath.length)
    // For people these are the dashboard. Programs get the responses of the plane.
    const isRoot = path === '' || path === '/' || path === '/docs'
    if (isRoot && !wantsPage(call)) return undefined
    const found = isRoot ? shell : placeOf(path)
    if (found === undefined) return undefined
    const { access } = found
    if (!isReading(call)) {
      const message = `${adminPath}${path} can only be read.`
      return { access, response: protect(refuseMethod(call.method, 'GET, HEAD, OPTIONS', message)) }
    }
    const file = await read(found.path)
    // Programs that embed pet-mock may leave the dashboard out.
    if (file === undefined && isRoot) return undefined
    if (file === undefined) {
      const message = `There is no file ${adminPath}${path}. If you opened the dashboard before pet-mock was updated, reload it.`
      return { access, response: protect(refusal('not_found', message)) }
    }
    // The addresses in the shell are relative.
    if (path === '') return { access, response: protect(redirect(`.${adminPath}/`)) }
    if (path === '/docs') return { access, response: protect(redirect('./#/docs/admin')) }
    return { access, response: sendFile(call, found.path, file, found) }
  }
}

/** Loopback origins, as CSP can write them: it has no syntax for `[::1]`. */
const loopback = ['localhost:*', '*.localhost:*', '127.0.0.1:*'].flatMap(host => [
  `http://${host}`,
  `https://${host}`,
])

/** Characters of an origin that CSP takes as they are. */
const plainOrigin = /^[a-z][a-z0-9+.-]*:\/\/[\w.-]+(?::\d+)?$/i

/**
 * The origins whose pages may frame the panel: those that may read the API by name. `--cors '*'` names none: a page of any
 * site could lay the panel's buttons under its own.
 */
function panelFrames(cors: AllowedOrigins): string {
  const { loopback: isLoopbackAllowed, listed } = cors === '*' ? { loopback: true, listed: [] } : cors
  const named = listed.filter(origin => plainOrigin.test(origin))
  return ["'self'", ...(isLoopbackAllowed ? loopback : []), ...named].join(' ')
}

/** The headers of a page. It loads its own files only, and no script of it can make markup of a text. */
function pageHeaders(frames: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    `frame-ancestors ${frames}`,
  ]
  return {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
  }
}
