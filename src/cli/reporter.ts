import type { Call } from '../call/call.ts'
import type { Exchange } from '../journal/exchange.ts'
import { type BannerFacts, banner } from './banner.ts'
import type { LogFormat } from './flag-values.ts'
import type { Io } from './io.ts'
import { jsonLine } from './json-line.ts'
import { createLineWriter } from './line-writer.ts'
import { logJson } from './log-json.ts'
import { createPrettyLog } from './log-pretty.ts'
import { createPaint } from './paint.ts'
import { printable } from './printable.ts'
import { readyLine } from './ready-line.ts'

/** Tells a person or a program what the server does: stdout for what is usual, stderr for what is not. */
export interface Reporter {
  readonly ready: (facts: BannerFacts) => void
  readonly call: (exchange: Exchange) => void
  readonly notice: (text: string) => void
  /** What is wrong with files that were changed, and that they are not in force. */
  readonly refused: (complaints: readonly string[]) => void
  /** A defect of pet-mock itself, with its stack; the client never sees that (A20). */
  readonly failure: (error: unknown, call?: Call) => void
  /** Resolves when everything is written, or nobody takes it. */
  readonly end: () => Promise<void>
}

/** How long the end waits for a reader, in milliseconds. */
const lastWordsMs = 200

export function createReporter(format: LogFormat, io: Io): Reporter {
  const { ready, call, end } = createOutput(format, io)
  const warn = createPaint(io.stderr)
  return {
    ready,
    call,
    notice: text => io.stderr.write(`${warn('yellow', printable(text))}\n`),
    refused: complaints => {
      const lines = [...complaints.map(printable), warn('yellow', notAdopted)]
      io.stderr.write(`${lines.join('\n')}\n`)
    },
    failure: (error, call) => {
      const where = call === undefined ? '' : ` on ${printable(`${call.method} ${call.target}`)}`
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
      io.stderr.write(`${warn('red', `pet-mock failed${where}:`)} ${what}\n`)
    },
    end,
  }
}

const notAdopted = 'What was read before stays in force until this is put right.'

type Output = Pick<Reporter, 'ready' | 'call' | 'end'>

function createOutput(format: LogFormat, io: Io): Output {
  switch (format) {
    case 'silent':
      return { ready: () => {}, call: () => {}, end: async () => {} }
    case 'json':
      return lines(
        io,
        facts => `${readyLine(facts, io.pid)}\n`,
        logJson,
        count => jsonLine({ event: 'dropped', calls: count }),
      )
    case 'pretty': {
      const paint = createPaint(io.stdout)
      const formatLeftOut = (count: number) =>
        paint('dim', `… ${count} calls are not shown: nobody was reading.`)
      return lines(
        io,
        facts => banner({ ...facts, columns: io.stdout.columns }, paint),
        createPrettyLog(paint, io.stdout),
        formatLeftOut,
      )
    }
  }
}

function lines(
  { stdout }: Io,
  formatReady: (facts: BannerFacts) => string,
  format: (exchange: Exchange) => string,
  formatLeftOut: (calls: number) => string,
): Output {
  const writer = createLineWriter({ stream: stdout, format, formatLeftOut })
  return {
    ready: facts => stdout.write(formatReady(facts)),
    call: writer.add,
    end: () =>
      new Promise(resolve => {
        const timer = setTimeout(resolve, lastWordsMs)
        writer.flush(() => {
          clearTimeout(timer)
          resolve()
        })
      }),
  }
}
