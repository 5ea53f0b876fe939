import { connect } from 'node:net'
import { hostOf } from '../remote/http-client.ts'

/** Returns why no connection to a server can be opened, or undefined if one can. */
export function explainUnreachable(url: URL, withinMs: number): Promise<string | undefined> {
  return new Promise(resolve => {
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    const socket = connect({ host: hostOf(url), port })
    const end = (reason: string | undefined) => {
      socket.destroy()
      resolve(reason)
    }
    socket.setTimeout(withinMs, () => end('it accepts no connection'))
    socket.on('connect', () => end(undefined)).on('error', error => end(formatNetworkError(error)))
  })
}

/** When a name has several addresses, Node's error for all of them has no message. */
export function formatNetworkError(error: Error & { readonly code?: string }): string {
  return error.message || error.code || error.name
}
