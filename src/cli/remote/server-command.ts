import type { Ask, OperationId, PlaneAnswer } from '../../library/client/ask-plane.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { clip } from '../../service/call/echo.ts'
import { type Command, type CommandHelp, command, type Invocation } from '../arguments/command.ts'
import type { Flags, ValuesOf } from '../arguments/flag.ts'
import { checkServerUrl, type ServerValues, serverFlags, serverUrl } from '../arguments/server-flags.ts'
import { exitCodes, type Io } from '../terminal/io.ts'
import { createPaint, jsonLine, type Paint, printable } from '../terminal/text.ts'
import { findServer, openPlane } from './find-server.ts'

export interface Session<Values = unknown> {
  readonly values: ServerValues & Values
  readonly words: readonly string[]
  readonly io: Io
  readonly paint: Paint
  readonly admin: string
  /** Calls an operation of the admin plane, for the sandbox of --sandbox unless the query names another. */
  readonly ask: Ask
  /** The same, without escaping the texts of the response for a terminal. */
  readonly askAsIs: Ask
  /** Prints an answer: as JSON with --json, else as lines. */
  readonly print: <T>(answer: T, toLines: (answer: T, session: Session<Values>) => readonly string[]) => void
}

interface Declared<F extends Flags> extends Omit<CommandHelp, 'name' | 'words' | 'about'> {
  readonly flags?: F
  readonly check?: (words: readonly string[], values: ValuesOf<F>) => readonly string[]
}

interface Row<F extends Flags, Id extends OperationId> extends Declared<F> {
  readonly fields?: (session: Session<ValuesOf<F>>) => object
  readonly lines: (answer: PlaneAnswer<Id>, session: Session<ValuesOf<F>>) => readonly string[]
}

/** Declares a command that calls one operation of the admin plane, and prints the response. `usage`: its name and words, such as `ban KEY`. */
export function planeCommand<Id extends OperationId, F extends Flags = Record<never, never>>(
  usage: string,
  about: string,
  calls: Id,
  { fields, lines, ...declared }: Row<F, Id>,
): Command {
  return serverCommand<F>(usage, about, {
    ...declared,
    act: async session => session.print(await session.ask(calls, fields?.(session)), lines),
  })
}

/** Resolves with the exit code if that is not 0. */
type Act<Values> = (session: Session<Values>) => Promise<void> | Promise<number>

/** Declares a command for a server's admin plane. Exit codes: 1 it refuses, 2 wrong usage, 3 not reached. */
export function serverCommand<F extends Flags = Record<never, never>>(
  usage: string,
  about: string,
  { flags, check, act, ...help }: Declared<F> & { readonly act: Act<ValuesOf<F>> },
): Command {
  const [name = '', ...places] = usage.split(' ')
  return command({
    ...help,
    name,
    about,
    ...(places.length > 0 && { words: places.join(' ') }),
    flags: { ...(flags as F), ...serverFlags },
    check: ({ words, values, typed }: Invocation<ServerValues & ValuesOf<F>>) => [
      ...checkServerUrl({ values, typed }),
      ...(check?.(words, values) ?? []),
    ],
    load: async () => ({ run: invocation => runOnServer(invocation, act) }),
  })
}

async function runOnServer<Values>(
  { values, typed, words, io }: Invocation<ServerValues & Values>,
  act: Act<Values>,
): Promise<number> {
  const { sandbox, json, 'admin-token': token } = values
  const found = await findServer(serverUrl({ values, typed }))
  if (!found.ok) {
    io.stderr.write(`${found.message}\n`)
    return found.exitCode
  }
  const { admin } = found
  const askAnywhere = await openPlane(admin, token)
  const askAsIs: Ask = (id, fields, query) => askAnywhere(id, fields, { sandbox, ...query })
  const show = (_name: string, value: unknown) => (typeof value === 'string' ? printable(value) : value)
  // The server may be any program: every text is escaped for a terminal. JSON escapes texts by itself.
  const ask: Ask = json
    ? askAsIs
    : async (...call) => JSON.parse(JSON.stringify(await askAsIs(...call)), show)
  const print: Session<Values>['print'] = (answer, toLines) => {
    const lines = json ? [jsonLine(answer)] : toLines(answer, session)
    io.stdout.write(lines.map(line => `${line}\n`).join(''))
  }
  const session = { values, words, io, paint: createPaint(io.stdout), admin, ask, askAsIs, print }
  try {
    return (await act(session)) ?? exitCodes.fine
  } catch (error) {
    if (!(error instanceof PetMockError)) {
      // Any field may be missing or of another type in the response of another server.
      const what = error instanceof Error ? `${error.name}: ${clip(error.message, 200)}` : String(error)
      const why = `The response of ${admin} cannot be shown (${what}). Is it another server, or another version of pet-mock?`
      io.stderr.write(`${printable(why)}\n`)
      return exitCodes.unreachable
    }
    io.stderr.write(`${printable(error.message)}\n`)
    return error.code === 'unreachable' ? exitCodes.unreachable : exitCodes.refused
  }
}
