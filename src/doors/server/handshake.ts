import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** The error of a client that sent plain HTTP. */
export const plainHttp = 'ERR_SSL_HTTP_REQUEST'

/** Explains why a TLS connection did not open. Only a client that sent plain HTTP can read it. */
export function explainHandshake({ code = '', message }: NodeJS.ErrnoException): string {
  if (code === plainHttp)
    return 'The request is plain HTTP, but pet-mock speaks TLS: use https:// instead of http:// in the URL.'
  if (/ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN)$/.test(code))
    return 'The client does not trust the certificate of pet-mock. docs/browser.md says how it can.'
  return `The TLS handshake failed (${code || message}).`
}

/** The TCP connections below TLS. A reset needs them, and Node has no public way from one to the other. */
export class RawSockets {
  readonly #sockets = new Map<string, { readonly raw: Socket; isSecure: boolean }>()

  add(raw: Socket): void {
    const name = nameOf(raw)
    this.#sockets.set(name, { raw, isSecure: false })
    raw.once('close', () => this.#sockets.delete(name))
  }

  secure(socket: Socket): void {
    const found = this.#sockets.get(nameOf(socket))
    if (found !== undefined) found.isSecure = true
  }

  below(socket: Duplex): Socket | undefined {
    return this.#sockets.get(nameOf(socket as Socket))?.raw
  }

  close(): void {
    for (const { raw, isSecure } of this.#sockets.values()) if (!isSecure) raw.destroy()
  }
}

/** The client's end of a connection: two open connections of one server differ in it. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
