import type { AllowedOrigins } from '../../../emulator/replies/cors.ts'

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
export function panelFrames(cors: AllowedOrigins): string {
  const { loopback: isLoopbackAllowed, listed } = cors === '*' ? { loopback: true, listed: [] } : cors
  const named = listed.filter(origin => plainOrigin.test(origin))
  return ["'self'", ...(isLoopbackAllowed ? loopback : []), ...named].join(' ')
}

/** The headers of a page. It loads its own files only, and no script of it can make markup of a text. */
export function pageHeaders(frames: string): Readonly<Record<string, string>> {
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
