import { type Constraint, durations, wholeNumbers } from '../../base/text/constraint.ts'

export const failures = ['reset', 'empty', 'truncate', 'malformed', 'hang'] as const
export type Failure = (typeof failures)[number]

/** How a door can break a reply. A slow reply is no failure. */
export const faults = [...failures, 'slow', 'slow-close'] as const
export type FaultName = (typeof faults)[number]

/** The amounts of faults. Times are in milliseconds. */
interface Settled {
  readonly slow: { readonly bytesPerSecond: number } | { readonly chunk: number; readonly every: number }
  readonly truncate: { readonly after: number }
  readonly hang: { readonly for: number }
  readonly 'slow-close': number
}

type FaultWithAmount = {
  readonly [Name in keyof Settled]: Readonly<Record<Name, Settled[Name]>>
}[keyof Settled]

/** A fault as a rule decides it: its name, or its name with an amount. */
export type Fault = Exclude<FaultName, 'slow-close'> | FaultWithAmount

/** How the real service can break a reply, as its proxy sees it. */
export type ProxiedFault = Extract<Fault, 'reset' | 'truncate'>

/** Where replies go out. `fetch`: inside a process or page, without a connection. */
export const doors = ['server', 'fetch', 'proxy'] as const
export type Door = (typeof doors)[number]

/** The longest delay of a reply, in milliseconds: `hang` is for ever. */
export const maxDelayMs = 600_000

/** A part of an amount, as a scenario writes it. */
export interface Amount {
  readonly constraint: Constraint
  readonly about: string
  readonly example: number | string
}

/** One amount, or several with names. */
export type AmountForm = Amount | Readonly<Record<string, Amount>>

interface Traits {
  /** What the client sees of the plain word, as a clause; undefined if the fault needs an amount. */
  readonly effect: string | undefined
  /** How much of the reply arrives. What arrives whole is checked against the contract. */
  readonly arrives: 'nothing' | 'part' | 'whole'
  /** Whether the fault breaks the body, so that it does nothing to a reply without one. */
  readonly breaksBody: boolean
  /** The error of a reply that never arrives, in Chromium's words, which HAR files have. */
  readonly harError?: string
  readonly doors: readonly Door[]
  /** What the client sees of an amount, as a clause, and the forms of that amount. */
  readonly amount?: { readonly effect: string; readonly forms: readonly AmountForm[] }
}

const anyBytes = wholeNumbers('a whole number of bytes (0 or more)', 0)
const bytes = wholeNumbers('a whole number of bytes (1 or more)', 1)
const times = durations('a duration from 1ms to 10m', 1, maxDelayMs)

/** One row a fault. Everything else about faults is derived from here. */
export const faultTraits: Readonly<Record<FaultName, Traits>> = {
  reset: {
    effect: 'the connection is reset (TCP RST), and no byte arrives',
    arrives: 'nothing',
    breaksBody: false,
    harError: 'net::ERR_CONNECTION_RESET',
    doors,
  },
  empty: {
    effect: 'the connection is closed, and no byte arrives',
    arrives: 'nothing',
    breaksBody: false,
    harError: 'net::ERR_EMPTY_RESPONSE',
    doors,
  },
  truncate: {
    effect: 'the connection is closed after half of the body',
    arrives: 'part',
    breaksBody: true,
    doors,
    amount: {
      effect:
        'the connection is closed after this many bytes of the body; a shorter body arrives whole, which is no fault',
      forms: [{ after: { constraint: anyBytes, about: 'How many bytes of the body arrive.', example: 512 } }],
    },
  },
  malformed: {
    effect: 'the body has the right length, but is not JSON',
    arrives: 'whole',
    breaksBody: true,
    doors,
  },
  hang: {
    effect: 'nothing arrives until the client gives up',
    arrives: 'nothing',
    breaksBody: false,
    harError: 'net::ERR_TIMED_OUT',
    doors,
    amount: {
      effect: 'nothing arrives for this long, and then the connection is closed',
      forms: [
        {
          for: { constraint: times, about: 'How long the connection stays open, up to 10m.', example: '5s' },
        },
      ],
    },
  },
  slow: {
    effect: 'the headers arrive at once, the body in ten pieces, half a second apart',
    arrives: 'whole',
    breaksBody: true,
    doors,
    amount: {
      effect: 'the headers arrive at once, the body at this pace',
      forms: [
        { bytesPerSecond: { constraint: bytes, about: 'The pace of the body.', example: 1000 } },
        {
          chunk: { constraint: bytes, about: 'The bytes of one piece.', example: 100 },
          every: { constraint: times, about: 'The pause between two pieces, up to 10m.', example: '500ms' },
        },
      ],
    },
  },
  'slow-close': {
    effect: undefined,
    arrives: 'whole',
    breaksBody: false,
    doors: ['server', 'proxy'],
    amount: {
      effect: 'the response arrives at once, and its connection is closed this much later',
      forms: [
        { constraint: times, about: 'How much later the connection closes, up to 10m.', example: '2s' },
      ],
    },
  },
}

export function faultName(fault: Fault): FaultName {
  if (typeof fault === 'string') return fault
  return faults.find(name => Object.hasOwn(fault, name)) ?? 'reset'
}

/** A body of the same length in bytes that no parser accepts: no JSON ends with a comma, or within a character. */
export function malform(body: string): string {
  return body !== '' && body.charCodeAt(body.length - 1) < 0x80 ? `${body.slice(0, -1)},` : body
}

/** How a broken body goes out. The first piece goes with the headers. */
export interface BodyPlan {
  readonly bytes: number
  readonly piece: number
  readonly pauseMs: number
}

/** A slower pace has a shorter piece, but no piece is shorter than a byte. */
const usualPauseMs = 100

/** Plans the body of a fault that lets some of it arrive. `length`: bytes of the whole body. */
export function planBody(fault: Fault, length: number): BodyPlan {
  if (fault === 'truncate') return inOnePiece(Math.floor(length / 2))
  if (fault === 'slow') return { bytes: length, piece: Math.ceil(length / 10), pauseMs: 500 }
  if (typeof fault === 'object' && 'truncate' in fault)
    return inOnePiece(Math.min(length, fault.truncate.after))
  if (typeof fault === 'object' && 'slow' in fault) {
    const { slow } = fault
    if ('chunk' in slow) return { bytes: length, piece: slow.chunk, pauseMs: slow.every }
    const piece = Math.max(1, Math.round((slow.bytesPerSecond * usualPauseMs) / 1_000))
    return { bytes: length, piece, pauseMs: (piece / slow.bytesPerSecond) * 1_000 }
  }
  return inOnePiece(length)
}

/** Whether a fault would do nothing to a body of this many bytes. */
export function breaksNothing(fault: Fault, length: number): boolean {
  if (length === 0) return faultTraits[faultName(fault)].breaksBody
  return typeof fault === 'object' && 'truncate' in fault && fault.truncate.after >= length
}

function inOnePiece(bytes: number): BodyPlan {
  return { bytes, piece: bytes, pauseMs: 0 }
}
