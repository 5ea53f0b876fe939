import { connect } from 'node:net'
import type { Answer, WalkthroughCall } from '../../judges/walkthrough/target.ts'
import { createHttpClient, hostOf } from '../remote/http-client.ts'

/** Makes the calls of a story over HTTP. */
export interface Caller {
  /** Rejects when the call cannot be made: with the system's error. */
  readonly call: (call: WalkthroughCall, withinMs: number) => Promise<Answer>
  readonly close: () => void
}

/** `url`: where the API is, with its `/v1` or without. */
export function createCaller(url: URL): Caller {
  const { send, close } = createHttpClient(url)
  const base = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
  return { call: (call, withinMs) => send({ ...call, target: `${base}${call.target}` }, withinMs), close }
}

/** Why no connection to a server can be had; undefined when one can. */
export function whyUnreachable(url: URL, withinMs: number): Promise<string | undefined> {
  return new Promise(resolve => {
    const socket = connect({
      host: hostOf(url),
      port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    })
    const tell = (why: string | undefined) => {
      socket.destroy()
      resolve(why)
    }
    socket.setTimeout(withinMs, () => tell('it takes no connection'))
    socket.on('connect', () => tell(undefined)).on('error', error => tell(reasonOf(error)))
  })
}

/** Where a name has several addresses, Node's error of all of them has no message. */
export function reasonOf(error: Error & { readonly code?: string }): string {
  return error.message || error.code || error.name
}
