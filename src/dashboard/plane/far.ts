import type { Connect } from './plane.ts'
import { PlaneError, unreachable } from './plane-error.ts'
import { watchEvents } from './watch-events.ts'

/** The plane of a server. `base`: its URL with a slash at its end. The token goes in a header only. */
export function createFar(base: string, token: () => string | undefined): Connect {
  const ask = (method: string, target: string, init: RequestInit = {}) => {
    const secret = token()
    // A browser sends no other characters in a header.
    if (secret !== undefined && !/^[\x21-\x7e]+$/.test(secret)) {
      const message =
        'This is not the token: a token has only letters, digits and signs of ASCII, and no spaces.'
      throw new PlaneError(401, 'invalid_admin_token', message)
    }
    const headers = {
      ...(typeof init.body === 'string' && { 'Content-Type': 'application/json' }),
      ...(secret !== undefined && { Authorization: `Bearer ${secret}` }),
    }
    return fetch(base + target.replace(/^\//, ''), { ...init, method, headers, cache: 'no-store' })
  }
  return {
    send: async (method, target, body) => {
      try {
        const response = await ask(method, target, body === undefined ? {} : { body })
        return { status: response.status, text: await response.text() }
      } catch (error) {
        throw error instanceof PlaneError ? error : unreachable()
      }
    },
    watch: watchEvents(signal => ask('GET', '/events', { signal })),
  }
}
