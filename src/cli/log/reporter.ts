import { baseUrl } from '../../doors/server/base-url.ts'
import type { Refusal } from '../../doors/server/refusals.ts'
import type { Breach, Exchange } from '../../emulator/journal/exchange.ts'
import type { Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import type { Call } from '../../service/call/call.ts'
import { createKeyMask } from '../../service/keys/mask.ts'
import type { LogFormat } from '../arguments/flag-values.ts'
import type { BannerFacts } from '../terminal/banner.ts'
import type { Io } from '../terminal/io.ts'
import { createLineWriter } from '../terminal/line-writer.ts'
import { createPaint } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import { createJsonLog } from './log-json.ts'
import { createPrettyLog } from './log-pretty.ts'

export interface BrokenExchange {
  readonly exchange: Exchange
  readonly breaches: readonly Breach[]
}

/** Writes what the server does: the log to stdout, notices and errors to stderr. */
export interface Reporter {
  /** Masks the keys of these sandboxes in every line, including keys added later. */
  readonly hideKeysOf: (sandboxes: Sandboxes) => void
  readonly ready: (facts: BannerFacts) => void
  /** Undefined for a silent log: observing an exchange costs as much as answering the call. */
  readonly call: ((exchange: Exchange) => void) | undefined
  /** Logs a request that the server rejected before it became a call. */
  readonly refusal: (refusal: Refusal) => void
  /** Logs how a call breaks the contract, some time after the call. Undefined for a silent log. */
  readonly breaches: ((broken: BrokenExchange) => void) | undefined
  readonly notice: (text: string) => void
  /** Lists the mistakes in changed files, which stay unused. */
  readonly notAdopted: (complaints: readonly string[]) => void
  /** Reports a defect of pet-mock with its stack, which clients never see (A20). */
  readonly failure: (error: unknown, call?: Call) => void
  /** Resolves when everything is written, or nobody reads. */
  readonly end: () => Promise<void>
}

/** How long the end waits for a reader, in milliseconds. */
const patienceMs = 200

export function createReporter(format: LogFormat, io: Io): Reporter {
  let mask = createKeyMask([])
  const warn = createPaint(io.stderr)
  const log = format === 'silent' ? silentLog(io) : writtenLog(io, format, text => mask(text))
  return {
    ...log,
    hideKeysOf: sandboxes => {
      mask = maskKeysOf(sandboxes)
    },
    notice: text => io.stderr.write(`${warn('yellow', printable(text))}\n`),
    notAdopted: complaints => {
      const note = warn('yellow', 'The previous version stays active until this is fixed.')
      io.stderr.write(`${[...complaints.map(printable), note].join('\n')}\n`)
    },
    failure: (error, call) => {
      const where = call === undefined ? '' : ` on ${printable(`${call.method} ${mask(call.target)}`)}`
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
      io.stderr.write(`${warn('red', `pet-mock failed${where}:`)} ${what}\n`)
    },
  }
}

/** Masks all known keys. The list is rebuilt when a sandbox changes. */
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

type Log = Pick<Reporter, 'ready' | 'call' | 'refusal' | 'breaches' | 'end'>

/** With `--port 0` it still prints the base URL: nothing else says where the server listens. */
function silentLog({ stdout }: Io): Log {
  return {
    ready: ({ host, port, anyPort }) => {
      if (anyPort) stdout.write(`${baseUrl(host, port)}\n`)
    },
    call: undefined,
    refusal: () => {},
    breaches: undefined,
    end: async () => {},
  }
}

function writtenLog({ stdout, pid }: Io, format: 'pretty' | 'json', mask: (text: string) => string): Log {
  const lines = format === 'json' ? createJsonLog(pid) : createPrettyLog(createPaint(stdout), stdout)
  const writer = createLineWriter(stdout, lines.skipped)
  const masked = (exchange: Exchange): Exchange => ({
    ...exchange,
    call: { ...exchange.call, target: mask(exchange.call.target) },
  })
  return {
    ready: facts => stdout.write(lines.ready(facts)),
    call: exchange => writer.add(() => lines.call(masked(exchange))),
    refusal: refusal => writer.add(() => lines.refusal(refusal)),
    breaches: ({ exchange, breaches }) => writer.add(() => lines.breaches(masked(exchange), breaches)),
    end: () =>
      new Promise(resolve => {
        const timer = setTimeout(resolve, patienceMs)
        writer.flush(() => {
          clearTimeout(timer)
          resolve()
        })
      }),
  }
}
