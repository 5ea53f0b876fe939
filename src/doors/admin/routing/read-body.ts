import { formatSize } from '../../../base/text/quantities.ts'
import { formatDuration } from '../../../base/time/duration.ts'
import { maxBody } from '../../../service/call/call.ts'
import type { ProblemCode } from '../../../service/call/problems.ts'
import { refusal } from './replies.ts'

/** Limits of the bodies that the admin plane reads. docs/admin.md lists them. */
export const bodyLimits = {
  /** Bytes, on every route but snapshot. */
  most: maxBody,
  /** Bytes of all snapshots that are read at the same time, unless `--snapshot-limit` sets it. A million pets fit. */
  snapshot: 268_435_456,
  atOnce: 16,
  /** Milliseconds that one more waits for a place. */
  waitMs: 1_000,
  /** Milliseconds until a body has arrived, or the next MiB of a snapshot. */
  arrivesMs: 10_000,
} as const

type Reading = { readonly bytes: Uint8Array } | { readonly refusal: Response }

/** Reads the bodies of all calls of a plane, within limits on their size, number, time and memory. */
export type BodyReader = (isSnapshot: boolean, lent: Lent) => Promise<Reading>

export function createBodyReader(snapshotLimit: number): BodyReader {
  const takePlace = createPlaces(bodyLimits.atOnce, bodyLimits.waitMs)
  const readSnapshot = createSnapshotReader(snapshotLimit)
  return async (isSnapshot, { readBody, after, freeHeap }) => {
    if (readBody === undefined) return { bytes: new Uint8Array() }
    const leave = await takePlace(after)
    if (leave === undefined) return busy(`The admin plane is reading ${bodyLimits.atOnce} bodies.`)
    const read = readInTime(readBody, after)
    try {
      return isSnapshot ? await readSnapshot(read, freeHeap) : await readCommand(read)
    } finally {
      leave()
    }
  }
}

type Read = (most: number, accepts: (chunk: Uint8Array) => boolean) => ArrivingBody['body']
function readInTime(readBody: ReadBody, after: Lent['after']): Read {
  return async (most, accepts) => {
    let size = 0
    const { body, stop } = readBody(most, chunk => {
      const before = size
      size += chunk.length
      if (size >> 20 > before >> 20) {
        stopTimer()
        stopTimer = after(bodyLimits.arrivesMs, stop)
      }
      return accepts(chunk)
    })
    let stopTimer = after(bodyLimits.arrivesMs, stop)
    const read = await body
    stopTimer()
    return read
  }
}

async function readCommand(read: Read): Promise<Reading> {
  const body = await read(bodyLimits.most, () => true)
  if (typeof body !== 'string') return { bytes: body }
  if (body !== 'too-large') return tooSlow('The body')
  return refused('body_too_large', `The body is larger than ${bodyLimits.most / 2 ** 20} MiB.`)
}

/** The share of the free heap that the estimate of a snapshot may take. */
const shareOfHeap = 0.6

function createSnapshotReader(limit: number) {
  let inAll = 0
  return async (read: Read, freeHeap: Lent['freeHeap']): Promise<Reading> => {
    const weigh = createJsonScale()
    let own = 0
    let free = 0
    let weight = 0
    let refusal: Reading | undefined
    const accepts = (chunk: Uint8Array) => {
      own += chunk.length
      inAll += chunk.length
      weight = weigh(chunk)
      if (inAll > limit) refusal = busy('The admin plane is reading other snapshots.')
      else if (weight > free && !fits()) refusal = tooHeavy(free)
      return refusal === undefined
    }
    const fits = () => {
      free = freeHeap(weight / shareOfHeap) * shareOfHeap
      return weight <= free
    }
    try {
      const body = await read(limit, accepts)
      if (refusal !== undefined) return refusal
      if (body === 'too-large') {
        const problem = `The snapshot is larger than ${formatSize(limit)}.`
        return refused('body_too_large', `${problem} Start pet-mock with a higher --snapshot-limit.`)
      }
      if (typeof body === 'string') return tooSlow('The next MiB of the snapshot')
      // Others may have taken memory meanwhile.
      return fits() ? { bytes: body } : tooHeavy(free)
    } finally {
      inAll -= own
    }
  }
}

function tooHeavy(free: number): Reading {
  const problem = `The snapshot does not fit into the memory that is left: ${formatSize(free)}.`
  const remedy = 'Start pet-mock with more, such as NODE_OPTIONS=--max-old-space-size=8192.'
  return refused('body_too_large', `${problem} ${remedy}`)
}

function tooSlow(what: string): Reading {
  const time = formatDuration(bodyLimits.arrivesMs)
  return refused('request_timeout', `${what} did not arrive within ${time}.`)
}

function busy(problem: string): Reading {
  return refused('too_many_bodies', `${problem} Try again in a second.`, { 'Retry-After': '1' })
}

function refused(code: ProblemCode, message: string, headers = {}): Reading {
  return { refusal: refusal(code, message, headers) }
}

/** A caller waits in line for one of `count` places. Undefined: none became free in `waitMs` of real time. */
function createPlaces(count: number, waitMs: number) {
  let free = count
  const line = new Set<() => void>()
  const take = () => {
    free -= 1
    return () => {
      free += 1
      const [first] = line
      first?.()
    }
  }
  return (after: Lent['after']) => {
    if (free > 0) return Promise.resolve(take())
    return new Promise<(() => void) | undefined>(resolve => {
      const leave = (place?: () => void) => {
        line.delete(admit)
        stop()
        resolve(place)
      }
      const admit = () => leave(take())
      const stop = after(waitMs, () => leave())
      line.add(admit)
    })
  }
}

/** Bytes of heap that a byte of JSON can take when it is read: a generous estimate, measured in Node 20. */
const weights = new Uint8Array(256).fill(1)
weights[0x7b] = 192 // {
weights[0x5b] = 48 // [
weights[0x3a] = 64 // :
weights[0x2c] = 16 // ,
weights[0x22] = 8 // "
/** After a backslash: \u007b may be the { of JSON inside a text. */
const escaped = 192

/** Weighs JSON before it is read, in bytes so far. A small text can become large: `{},` takes 200 bytes. */
function createJsonScale(): (chunk: Uint8Array) => number {
  let weight = 0
  let previous = 0
  let isAscii = true
  let bytes = 0
  return chunk => {
    bytes += chunk.length
    for (const byte of chunk) {
      weight += byte === 0x75 && previous === 0x5c ? escaped : (weights[byte] ?? 0)
      if (byte > 0x7f) isAscii = false
      previous = byte
    }
    // Texts that are not ASCII can have two bytes a character.
    return isAscii ? weight : weight + bytes
  }
}

export interface Waiting {
  /** Aborts when the client leaves or the door closes. */
  readonly signal: AbortSignal
  /** Calls back after `ms` milliseconds of real time. Returns a function that cancels. */
  readonly after: (ms: number, act: () => void) => () => void
  /** Resolves in the next turn of the event loop, so that long work lets other calls run. */
  readonly nextTurn: () => Promise<void>
}

/** What a door lends to a call: only doors have sockets, timers and a heap. */
export interface Lent extends Waiting {
  /** Reads the call's body, which nobody has read yet. Undefined: the call has none. */
  readonly readBody: ReadBody | undefined
  /** Bytes of heap that are left. May take longer to find out if they are fewer than wanted. */
  readonly freeHeap: (wanted: number) => number
}

/** Reads `most` bytes at most. `accepts` sees each chunk. */
export type ReadBody = (most: number, accepts: (chunk: Uint8Array) => boolean) => ArrivingBody

export interface ArrivingBody {
  /** Resolves with `stopped` on `stop`, if a chunk is not accepted, and if the client leaves. */
  readonly body: Promise<Uint8Array | 'too-large' | 'stopped'>
  readonly stop: () => void
}
