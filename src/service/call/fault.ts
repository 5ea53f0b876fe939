/** What is true of a way in which a reply breaks. A door makes it real. */
interface Traits {
  readonly name: string
  /** What the client sees, as a clause. */
  readonly effect: string
  /** How much of the reply arrives. What arrives whole is checked against the contract. */
  readonly arrives: 'nothing' | 'part' | 'whole'
  /** Whether it breaks a body, and does nothing to a reply without one. */
  readonly needsBody: boolean
  /** Whether a walkthrough can expect a call to fail in this way. */
  readonly isFailure: boolean
  /** Whether a proxy sees it when the real service breaks a reply. */
  readonly isProxied: boolean
  /** The error of a HAR entry whose reply never arrives, in Chromium's words. */
  readonly harError?: string
}

const table = [
  {
    name: 'reset',
    effect: 'the connection is reset (TCP RST), and no byte arrives',
    arrives: 'nothing',
    needsBody: false,
    isFailure: true,
    isProxied: true,
    harError: 'net::ERR_CONNECTION_RESET',
  },
  {
    name: 'empty',
    effect: 'the connection is closed, and no byte arrives',
    arrives: 'nothing',
    needsBody: false,
    isFailure: true,
    isProxied: false,
    harError: 'net::ERR_EMPTY_RESPONSE',
  },
  {
    name: 'truncate',
    effect: 'the connection is closed after half of the body',
    arrives: 'part',
    needsBody: true,
    isFailure: true,
    isProxied: true,
  },
  {
    name: 'malformed',
    effect: 'the body has the right length, and is not JSON',
    arrives: 'whole',
    needsBody: true,
    isFailure: true,
    isProxied: false,
  },
  {
    name: 'hang',
    effect: 'nothing arrives until the client gives up',
    arrives: 'nothing',
    needsBody: false,
    isFailure: true,
    isProxied: false,
    harError: 'net::ERR_TIMED_OUT',
  },
  {
    name: 'slow',
    effect: 'the headers arrive at once, the body in ten pieces, half a second apart',
    arrives: 'whole',
    needsBody: true,
    isFailure: false,
    isProxied: false,
  },
] as const satisfies readonly Traits[]

type Row = (typeof table)[number]
export type Fault = Row['name']
/** How a call can fail for its client. */
export type Failure = Extract<Row, { isFailure: true }>['name']
/** How the real service can break a reply, as its proxy sees it. */
export type ProxiedFault = Extract<Row, { isProxied: true }>['name']

export const faults: readonly Fault[] = table.map(({ name }) => name)
export const failures: readonly Failure[] = table.flatMap(row => (row.isFailure ? [row.name] : []))

export function traitsOf(fault: Fault): Traits {
  const traits = table.find(({ name }) => name === fault)
  if (traits === undefined) throw new RangeError(`There is no fault ${fault}`)
  return traits
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
