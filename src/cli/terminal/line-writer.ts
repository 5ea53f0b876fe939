import type { TextStream } from './io.ts'

/** Characters that may wait for a slow reader. Beyond that, lines are skipped. */
const mostWaiting = 1_048_576

/** Writes the queued lines once a tick. `formatSkipped` makes the line that replaces skipped ones. */
export function createLineWriter(stream: TextStream, formatSkipped: (count: number) => string) {
  let waiting: (() => string)[] = []
  let skipped = 0
  let closed = false
  // A reader that goes away (`pet-mock | head`) ends the log, not the server.
  stream.on('error', () => {
    closed = true
    waiting = []
  })

  const write = () => {
    const formats = waiting
    waiting = []
    if (closed || formats.length === 0) return
    if (stream.writableLength > mostWaiting) {
      skipped += formats.length
      return
    }
    const lines = formats.map(format => format())
    if (skipped > 0) lines.unshift(formatSkipped(skipped))
    skipped = 0
    stream.write(`${lines.join('\n')}\n`)
  }

  return {
    /** Queues a line. It is formatted when it is written, so that no call waits for it. */
    add: (format: () => string) => {
      if (closed) return
      waiting.push(format)
      if (waiting.length === 1) setImmediate(write)
    },
    /** Writes the queue. Calls back once the stream has taken it or is closed. */
    flush: (done: () => void) => {
      write()
      // No later line would report them.
      if (skipped > 0 && !closed) stream.write(`${formatSkipped(skipped)}\n`)
      skipped = 0
      if (closed) done()
      else stream.write('', done)
    },
  }
}
