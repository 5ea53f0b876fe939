/**
 * The ways in which a reply can break on its way to the client. The core only names them: a door makes them real.
 *
 * - `reset`: the connection is reset (TCP RST), and no byte comes
 * - `empty`: the connection is closed, and no byte comes
 * - `truncate`: the connection is closed after half of the body that `Content-Length` announces
 * - `malformed`: the body is as long as announced, and is not JSON
 * - `hang`: nothing comes until the client gives up
 * - `slow`: the headers come at once, the body in pieces
 */
export const faults = ['reset', 'empty', 'truncate', 'malformed', 'hang', 'slow'] as const
export type Fault = (typeof faults)[number]

/** No reply is held back longer, in milliseconds: who wants to wait for ever has `hang`. */
export const maxDelayMs = 600_000

/**
 * A body of the same length in bytes that no JSON parser accepts: no JSON ends with a comma. What ends with a
 * character of several bytes is no JSON as it stands.
 */
export function malform(body: string): string {
  return body !== '' && body.charCodeAt(body.length - 1) < 0x80 ? `${body.slice(0, -1)},` : body
}

/** A slow body comes in ten pieces, the first with the headers, and so many milliseconds apart: in 4.5 s. */
export const slowPauseMs = 500

export function slowPieces(body: Uint8Array): readonly Uint8Array[] {
  const size = Math.ceil(body.length / 10)
  return Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
    body.subarray(index * size, (index + 1) * size),
  )
}

/** What comes of a body that is cut off. */
export function firstHalf(body: Uint8Array): Uint8Array {
  return body.subarray(0, body.length / 2)
}
