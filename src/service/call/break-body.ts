import type { Fault } from './fault.ts'

/** A body of the same length in bytes that no parser accepts: no JSON ends with a comma, or within a character. */
export function malform(body: string): string {
  return body !== '' && body.charCodeAt(body.length - 1) < 0x80 ? `${body.slice(0, -1)},` : body
}

/** How a broken body goes out. The first piece goes with the headers. */
export interface BodyPlan {
  /** How many bytes of the body arrive. */
  readonly bytes: number
  /** The bytes of one piece. */
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

/** Whether a fault would cut this many bytes off nowhere. */
export function cutsNothing(fault: Fault, length: number): boolean {
  return typeof fault === 'object' && 'truncate' in fault && fault.truncate.after >= length
}

function inOnePiece(bytes: number): BodyPlan {
  return { bytes, piece: bytes, pauseMs: 0 }
}
