import type { Ask } from '../../library/client/ask-plane.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { clip } from '../../service/call/echo.ts'
import type { Invocation } from '../arguments/command.ts'
import { type ServerValues, serverUrl } from '../arguments/server-flags.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import { exitCodes } from '../terminal/io.ts'
import { jsonLine } from '../terminal/json-line.ts'
import { createPaint } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import { findServer, openPlane } from './find-server.ts'
import type { Action } from './session.ts'

/** Exit codes: 1 the server refuses, 2 wrong usage, 3 the server cannot be reached. */
export async function runOnServer<Values>(
  { values, words, complaints, typed, io }: Invocation<ServerValues & Values>,
  { check = () => [], act }: Action<Values>,
): Promise<number> {
  const { sandbox, json, 'admin-token': token } = values
  const url = serverUrl(values, typed)
  const all = [...complaints, ...(url.ok ? [] : url.problems), ...check(words, values)]
  if (!url.ok || all.length > 0) return refuseUsage(all, io)
  const found = await findServer(url.value)
  if (!found.ok) {
    io.stderr.write(`${found.message}\n`)
    return found.exitCode
  }
  const { admin } = found
  const askAnywhere = await openPlane(admin, token)
  const askAsIs: Ask = (id, fields, query) => askAnywhere(id, fields, { sandbox, ...query })
  // JSON escapes texts by itself.
  const ask: Ask = json
    ? askAsIs
    : async (id, fields, query) => printableAnswer(await askAsIs(id, fields, query))
  try {
    const exitCode = await act({
      values,
      words,
      io,
      paint: createPaint(io.stdout),
      admin,
      ask,
      askAsIs,
      print: (answer, toLines) => {
        const lines = json ? [jsonLine(answer)] : toLines(answer)
        io.stdout.write(lines.map(line => `${line}\n`).join(''))
      },
    })
    return exitCode ?? exitCodes.fine
  } catch (error) {
    if (!(error instanceof PetMockError)) {
      // Any field may be missing or of another type in the answer of another server.
      io.stderr.write(`${printable(explainAnswer(error, admin))}\n`)
      return exitCodes.unreachable
    }
    io.stderr.write(`${printable(error.message)}\n`)
    return error.code === 'unreachable' ? exitCodes.unreachable : exitCodes.refused
  }
}

/** An answer with every text escaped for a terminal: the server may be any program. */
function printableAnswer<T>(answer: T): T {
  const show = (_name: string, value: unknown) => (typeof value === 'string' ? printable(value) : value)
  return JSON.parse(JSON.stringify(answer), show)
}

function explainAnswer(error: unknown, admin: string): string {
  const what = error instanceof Error ? `${error.name}: ${clip(error.message, 200)}` : String(error)
  return `The answer of ${admin} cannot be shown (${what}). Is it another server, or another version of pet-mock?`
}
