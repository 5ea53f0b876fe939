import type { TextStream } from './io.ts'

export interface LineWriter<T> {
  readonly add: (item: T) => void
  /** Writes what is waiting, and calls back when the stream has taken it, or at once when nobody reads any more. */
  readonly flush: (done: () => void) => void
}

export interface LineWriterOptions<T> {
  readonly stream: TextStream
  readonly format: (item: T) => string
  /** What stands in the place of lines that were left out. */
  readonly formatLeftOut: (count: number) => string
}

/** Characters that may wait for a reader who does not read; beyond that, lines are left out. */
const mostWaiting = 1_048_576

/** Writes a line an item, formatted and written once a tick, so that no call waits for it. */
export function createLineWriter<T>({ stream, format, formatLeftOut }: LineWriterOptions<T>): LineWriter<T> {
  let waiting: T[] = []
  let leftOut = 0
  let closed = false
  // A reader that goes away (`pet-mock | head`) ends the log, not the server.
  stream.on('error', () => {
    closed = true
    waiting = []
  })

  const write = () => {
    const items = waiting
    waiting = []
    if (closed || items.length === 0) return
    if (stream.writableLength > mostWaiting) {
      leftOut += items.length
      return
    }
    const lines = items.map(format)
    if (leftOut > 0) lines.unshift(formatLeftOut(leftOut))
    leftOut = 0
    stream.write(`${lines.join('\n')}\n`)
  }

  return {
    add: item => {
      if (closed) return
      waiting.push(item)
      if (waiting.length === 1) setImmediate(write)
    },
    flush: done => {
      write()
      // Nothing may follow that would tell it.
      if (leftOut > 0 && !closed) stream.write(`${formatLeftOut(leftOut)}\n`)
      leftOut = 0
      if (closed) done()
      else stream.write('', done)
    },
  }
}
