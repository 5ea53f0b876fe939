import { type Ask, createAsk } from '../../library/client/ask-plane.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { sendOverHttp } from '../../library/client/send-over-http.ts'
import type { Command } from '../arguments/command.ts'
import type { Flags, ValuesOf } from '../arguments/flag.ts'
import { readFlags } from '../arguments/read-flags.ts'
import { serverFlags } from '../arguments/server-flags.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import { exitCodes, type Io } from '../terminal/io.ts'
import { jsonLine } from '../terminal/json-line.ts'
import { createPaint, type Paint } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import { findServer } from './find-server.ts'

/** A command under way, with the server that it is about. */
export interface Session<Values> {
  readonly values: Values
  readonly words: readonly string[]
  readonly io: Io
  readonly paint: Paint
  readonly json: boolean
  /** Where the admin plane is. */
  readonly admin: string
  readonly token: string | undefined
  /** The sandbox that is meant. */
  readonly sandbox: string | undefined
  /** Asks the admin plane, about that sandbox unless the query names another. */
  readonly ask: Ask
  /** Writes an answer as it is, or as lines for people. */
  readonly tell: <T extends object>(answer: T, show: (answer: T) => readonly string[]) => void
}

/** What a command does, once it is known that it was called rightly. */
export interface OnServer<F extends Flags> {
  /** What is wrong with how it was called. */
  readonly check?: (words: readonly string[], values: ValuesOf<F>) => readonly string[]
  /** Resolves with its exit code, if that is not 0. */
  readonly act: (session: Session<ValuesOf<F>>) => Promise<void> | Promise<number>
}

/**
 * Runs a command on a server, which it reaches through the admin plane alone. `flags` are all that it takes, those of
 * `serverFlags` among them. Exit codes: 1 the server refuses, 2 wrong usage, 3 it cannot be reached.
 */
export function onServer<F extends Flags>(flags: F, { check = () => [], act }: OnServer<F>): Command['run'] {
  return async (given, complaints, io, words) => {
    const { values, complaints: wrongFlags } = readFlags(flags, given, io.env)
    const ofServer = new Map([...given].filter(([name]) => Object.hasOwn(serverFlags, name)))
    const { url, sandbox, json, 'admin-token': token } = readFlags(serverFlags, ofServer, io.env).values
    const all = [...complaints, ...wrongFlags, ...check(words, values)]
    if (all.length > 0) return refuseUsage(all, io)
    const found = await findServer(url)
    if (!found.ok) {
      io.stderr.write(`${found.message}\n`)
      return found.exitCode
    }
    const { admin } = found
    const ask = createAsk(sendOverHttp(admin, token), undefined)
    try {
      const exitCode = await act({
        values,
        words,
        io,
        paint: createPaint(io.stdout),
        json,
        admin,
        token,
        sandbox,
        ask: (method, path, body, query) => ask(method, path, body, { sandbox, ...query }),
        tell: (answer, show) => {
          const lines = json ? [jsonLine(answer)] : show(answer)
          io.stdout.write(lines.map(line => `${line}\n`).join(''))
        },
      })
      return exitCode ?? exitCodes.fine
    } catch (error) {
      if (error instanceof BadFile) return refuseUsage([error.message], io)
      if (!(error instanceof PetMockError)) throw error
      io.stderr.write(`${printable(error.message)}\n`)
      return error.code === 'unreachable' ? exitCodes.unreachable : exitCodes.refused
    }
  }
}

/** A file that was named cannot be read or written. */
export class BadFile extends Error {}

/** A complaint, unless there are as many words as a command has places for, of which the last `optional` may be missing. */
export function expectWords(
  words: readonly string[],
  line: string,
  places: readonly string[],
  optional = 0,
): readonly string[] {
  if (words.length <= places.length && words.length >= places.length - optional) return []
  return [`Expected: pet-mock ${line} ${places.join(' ')}`]
}
