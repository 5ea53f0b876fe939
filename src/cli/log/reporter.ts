import { baseUrl } from '../../doors/server/base-url.ts'
import type { Refusal } from '../../doors/server/refusals.ts'
import type { Breach } from '../../emulator/journal/breach.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import type { Call } from '../../service/call/call.ts'
import { createKeyMask } from '../../service/keys/mask.ts'
import type { LogFormat } from '../arguments/flag-values.ts'
import { type BannerFacts, banner } from '../terminal/banner.ts'
import type { Io } from '../terminal/io.ts'
import { jsonLine } from '../terminal/json-line.ts'
import { createLineWriter } from '../terminal/line-writer.ts'
import { createPaint } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import { readyLine } from '../terminal/ready-line.ts'
import { logBreachesJson, logJson, logRefusalJson } from './log-json.ts'
import { createPrettyLog } from './log-pretty.ts'

export interface BrokenExchange {
  readonly exchange: Exchange
  readonly breaches: readonly Breach[]
}

/** Tells a person or a program what the server does: stdout for what is usual, stderr for what is not. */
export interface Reporter {
  /** From now on, no line tells a key of these sandboxes in full, whenever they come to know it. */
  readonly hideKeysOf: (sandboxes: Sandboxes) => void
  readonly ready: (facts: BannerFacts) => void
  /** Absent where no call is told of: to look at an exchange costs as much as to answer the call. */
  readonly call: ((exchange: Exchange) => void) | undefined
  /** What the door answered by itself, which is no call. */
  readonly refusal: (refusal: Refusal) => void
  /** How an exchange breaks the contract, which is known some time after it; absent where no call is told of. */
  readonly breaches: ((broken: BrokenExchange) => void) | undefined
  readonly notice: (text: string) => void
  /** What is wrong with files that were changed, and that they are not in force. */
  readonly notAdopted: (complaints: readonly string[]) => void
  /** A defect of pet-mock itself, with its stack; the client never sees that (A20). */
  readonly failure: (error: unknown, call?: Call) => void
  /** Resolves when everything is written, or nobody takes it. */
  readonly end: () => Promise<void>
}

/** How long the end waits for a reader, in milliseconds. */
const lastWordsMs = 200

export function createReporter(format: LogFormat, io: Io): Reporter {
  let mask = createKeyMask([])
  const { ready, call, refusal, breaches, end } = createOutput(format, io, text => mask(text))
  const warn = createPaint(io.stderr)
  return {
    hideKeysOf: sandboxes => {
      mask = maskKeysOf(sandboxes)
    },
    ready,
    call,
    refusal,
    breaches,
    notice: text => io.stderr.write(`${warn('yellow', printable(text))}\n`),
    notAdopted: complaints => {
      const lines = [...complaints.map(printable), warn('yellow', staysInForce)]
      io.stderr.write(`${lines.join('\n')}\n`)
    },
    failure: (error, call) => {
      const where = call === undefined ? '' : ` on ${printable(`${call.method} ${mask(call.target)}`)}`
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
      io.stderr.write(`${warn('red', `pet-mock failed${where}:`)} ${what}\n`)
    },
    end,
  }
}

/** Masks the keys that there are when a text is told; they are only looked for again where something was changed. */
function maskKeysOf(sandboxes: Sandboxes): (text: string) => string {
  let mask = createKeyMask([])
  let lookedAt = -1
  return text => {
    if (lookedAt !== sandboxes.changes) {
      lookedAt = sandboxes.changes
      mask = createKeyMask(new Set(Array.from(sandboxes, ({ keys }) => [...keys.keys()]).flat()))
    }
    return mask(text)
  }
}

const staysInForce = 'What was read before stays in force until this is put right.'

type Output = Pick<Reporter, 'ready' | 'call' | 'refusal' | 'breaches' | 'end'>
type Entry = Exchange | Refusal | BrokenExchange

function createOutput(format: LogFormat, io: Io, mask: (text: string) => string): Output {
  const masked = (exchange: Exchange): Exchange => ({
    ...exchange,
    call: { ...exchange.call, target: mask(exchange.call.target) },
  })
  switch (format) {
    case 'silent':
      return {
        // Else nobody could know where it listens.
        ready: ({ host, port, anyPort }) => {
          if (anyPort) io.stdout.write(`${baseUrl(host, port)}\n`)
        },
        call: undefined,
        refusal: () => {},
        breaches: undefined,
        end: async () => {},
      }
    case 'json':
      return lines(
        io,
        facts => `${readyLine(facts, io.pid)}\n`,
        entry => {
          if (isRefusal(entry)) return logRefusalJson(entry)
          return isBroken(entry)
            ? logBreachesJson(masked(entry.exchange), entry.breaches)
            : logJson(masked(entry))
        },
        count => jsonLine({ event: 'dropped', calls: count }),
      )
    case 'pretty': {
      const paint = createPaint(io.stdout)
      const pretty = createPrettyLog(paint, io.stdout)
      const formatLeftOut = (count: number) =>
        paint('dim', `… ${count} calls are not shown: nobody was reading.`)
      return lines(
        io,
        facts => banner({ ...facts, columns: io.stdout.columns }, paint),
        entry => {
          if (isRefusal(entry)) return pretty.refusal(entry)
          return isBroken(entry)
            ? pretty.breaches(masked(entry.exchange), entry.breaches)
            : pretty.call(masked(entry))
        },
        formatLeftOut,
      )
    }
  }
}

function isRefusal(entry: Entry): entry is Refusal {
  return 'client' in entry
}

function isBroken(entry: Exchange | BrokenExchange): entry is BrokenExchange {
  return 'exchange' in entry
}

function lines(
  { stdout }: Io,
  formatReady: (facts: BannerFacts) => string,
  format: (entry: Entry) => string,
  formatLeftOut: (calls: number) => string,
): Output {
  const writer = createLineWriter<Entry>({ stream: stdout, format, formatLeftOut })
  return {
    ready: facts => stdout.write(formatReady(facts)),
    call: writer.add,
    refusal: writer.add,
    breaches: writer.add,
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
