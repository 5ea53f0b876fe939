/** How a call can fail for its client. */
export const failures = ['reset', 'empty', 'truncate', 'malformed', 'hang'] as const
export type Failure = (typeof failures)[number]

/** How a door can break a reply. A slow reply is no failure. */
export const faults = [...failures, 'slow'] as const
export type Fault = (typeof faults)[number]

/** How the real service can break a reply, as its proxy sees it. */
export type ProxiedFault = Extract<Fault, 'reset' | 'truncate'>

interface Traits {
  /** What the client sees, as a clause. */
  readonly effect: string
  /**
   * How much of the reply arrives. What arrives whole is checked against the contract. A fault after which something
   * arrives breaks the body, so it does nothing to a reply without one.
   */
  readonly arrives: 'nothing' | 'part' | 'whole'
}

export const faultTraits: Readonly<Record<Fault, Traits>> = {
  reset: { effect: 'the connection is reset (TCP RST), and no byte arrives', arrives: 'nothing' },
  empty: { effect: 'the connection is closed, and no byte arrives', arrives: 'nothing' },
  truncate: { effect: 'the connection is closed after half of the body', arrives: 'part' },
  malformed: { effect: 'the body has the right length, and is not JSON', arrives: 'whole' },
  hang: { effect: 'nothing arrives until the client gives up', arrives: 'nothing' },
  slow: {
    effect: 'the headers arrive at once, the body in ten pieces, half a second apart',
    arrives: 'whole',
  },
}

/** The longest delay of a reply, in milliseconds: `hang` is for ever. */
export const maxDelayMs = 600_000

/** A body of the same length in bytes that no parser accepts: no JSON ends with a comma, or within a character. */
export function malform(body: string): string {
  return body !== '' && body.charCodeAt(body.length - 1) < 0x80 ? `${body.slice(0, -1)},` : body
}

export const slowPauseMs = 500

/** The pieces of a slow body. The first one goes with the headers. */
export function slowPieces(body: Uint8Array): readonly Uint8Array[] {
  const size = Math.ceil(body.length / 10)
  return Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
    body.subarray(index * size, (index + 1) * size),
  )
}

/** What arrives of a truncated body. */
export function firstHalf(body: Uint8Array): Uint8Array {
  return body.subarray(0, body.length / 2)
}
