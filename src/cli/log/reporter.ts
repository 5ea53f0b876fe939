import type { Command } from '../../control/scenario/file.ts'
import { baseUrl } from '../../doors/server/base-url.ts'
import { explainImport } from '../../doors/server/own-files.ts'
import type { Refusal } from '../../doors/server/refusals.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { createKnownKeys, type Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import { conceal } from '../../judges/inspection/conceal.ts'
import type { Call } from '../../service/call/call.ts'
import { headerValue } from '../../service/call/headers.ts'
import { createKeyMask, type Secrets } from '../../service/keys/mask.ts'
import { maskFreeText } from '../../service/keys/mask-text.ts'
import type { LogFormat } from '../arguments/flag-values.ts'
import type { BannerFacts } from '../terminal/banner.ts'
import type { Io, TextStream } from '../terminal/io.ts'
import { createPaint, printable } from '../terminal/text.ts'
import { createJsonLog, createPrettyLog, type LoggedChange } from './log-json.ts'

/** Writes what the server does: the log to stdout, notices and errors to stderr. */
export type Reporter = ReturnType<typeof createReporter>

/** How long the end waits for a reader, in milliseconds. */
const patienceMs = 200

export function createReporter(format: LogFormat, io: Io, secrets: Secrets) {
  let sandboxes: Sandboxes | undefined
  let keys: ReturnType<typeof createKnownKeys> | undefined
  const warn = createPaint(io.stderr)
  const whatOf = createStacks()
  const mask = (exchange: Exchange): Exchange => {
    // The proxy masks what it logs itself.
    if (keys === undefined) return exchange
    const { target, text } = conceal(exchange, secrets, keys.has)
    const { headers } = exchange.call
    const breaches = exchange.breaches?.map(breach => ({ ...breach, message: text(breach.message) }))
    return {
      ...exchange,
      call: {
        ...exchange.call,
        target: target(exchange.call.target),
        // The log shows a preference that is not met.
        headers: headerValue(headers, 'prefer') === undefined ? headers : headers.map(text),
      },
      ...(breaches && { breaches }),
    }
  }
  const log =
    format === 'silent'
      ? silentLog(io)
      : writtenLog(io, format, secrets, mask, () => createTextMask(secrets, sandboxes))
  return {
    ...log,
    /** Masks the secrets and the keys of these sandboxes in every line, including keys added later. */
    hideKeysOf: (worlds: Sandboxes) => {
      sandboxes = worlds
      keys = createKnownKeys(worlds)
    },
    notice: (text: string) => {
      io.stderr.write(`${warn('yellow', printable(text))}\n`)
    },
    /** Lists the mistakes in changed files, which stay unused. */
    notAdopted: (complaints: readonly string[]) => {
      const note = warn('yellow', 'The previous version stays active until this is fixed.')
      io.stderr.write(`${[...complaints.map(printable), note].join('\n')}\n`)
    },
    /** Reports a defect of pet-mock with its stack, once. Clients never see it (A20). */
    failure: (error: unknown, call?: Call) => {
      const hide = createTextMask(secrets, sandboxes)
      const where = call === undefined ? '' : ` on ${printable(hide(`${call.method} ${call.target}`))}`
      const lines = hide(whatOf(explainImport(error)))
        .split('\n')
        .map(printable)
      io.stderr.write(`${warn('red', `pet-mock failed${where}:`)} ${lines.join('\n')}\n`)
    },
  }
}

/** Returns the stack of an error at its first time, and then its message: a client may cause the same one again and again. */
function createStacks(): (error: unknown) => string {
  const shown = new Set<string>()
  return error => {
    if (!(error instanceof Error)) return String(error)
    const { message, stack = message } = error
    if (shown.has(stack)) return message.split('\n', 1).join()
    if (shown.size === mostStacks) shown.clear()
    shown.add(stack)
    return stack
  }
}

const mostStacks = 100

/** Masks a text that belongs to no exchange: secret names, and all known keys. */
export function createTextMask(secrets: Secrets, sandboxes: Sandboxes | undefined): (text: string) => string {
  return maskTexts(new Set(Array.from(sandboxes ?? [], world => [...world.keys.keys()]).flat()), secrets)
}

/** Masks secret names, and these keys. */
export function maskTexts(keys: Iterable<string>, secrets: Secrets): (text: string) => string {
  const maskKeys = createKeyMask(keys, secrets)
  return text => maskFreeText(maskKeys(text), secrets)
}

/** With `--port 0` it still prints the base URL: nothing else says where the server listens. */
function silentLog({ stdout }: Io) {
  return {
    ready: (facts: BannerFacts) => {
      if (facts.anyPort) stdout.write(`${baseUrl(facts)}\n`)
    },
    // Observing an exchange costs as much as answering the call.
    call: undefined,
    refusal: () => {},
    change: undefined,
    breaches: undefined,
    end: async () => {},
  }
}

function writtenLog(
  { stdout, pid }: Io,
  format: 'pretty' | 'json',
  { maskKey }: Secrets,
  mask: (exchange: Exchange) => Exchange,
  maskText: () => (text: string) => string,
) {
  const lines =
    format === 'json' ? createJsonLog(pid, maskKey) : createPrettyLog(createPaint(stdout), stdout, maskKey)
  const writer = createLineWriter(stdout, lines.skipped)
  return {
    ready: (facts: BannerFacts) => stdout.write(lines.ready(facts)),
    call: (exchange: Exchange) => writer.add(() => lines.call(mask(exchange))),
    refusal: (refusal: Refusal) => writer.add(() => lines.refusal(refusal)),
    /** Logs a change through the admin plane. */
    change: ({ do: name, ...fields }: Command, sandbox: string | undefined, at: number) =>
      writer.add(() => lines.change({ at, sandbox, name, fields: shownFields(fields, maskText()) })),
    /** Logs how a call breaks the contract, some time after the call. */
    breaches: (exchange: Exchange) => writer.add(() => lines.breaches(mask(exchange))),
    /** Resolves when everything is written, or nobody reads. */
    end: () =>
      new Promise<void>(resolve => {
        const timer = setTimeout(resolve, patienceMs)
        writer.flush(() => {
          clearTimeout(timer)
          resolve()
        })
      }),
  }
}

/** The fields of a command. Of a map, its names: a snapshot has megabytes. */
function shownFields(fields: object, mask: (text: string) => string): LoggedChange['fields'] {
  const show = (value: unknown) =>
    typeof value === 'object' && value !== null ? `{ ${Object.keys(value).join(', ')} }` : mask(`${value}`)
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, show(value)]])),
  )
}

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
