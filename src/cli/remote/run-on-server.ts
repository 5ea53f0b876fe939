import { createAsk, sendOverHttp } from '../../library/client/ask-plane.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import type { Invocation } from '../arguments/command.ts'
import type { ServerValues } from '../arguments/server-flags.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import { exitCodes } from '../terminal/io.ts'
import { jsonLine } from '../terminal/json-line.ts'
import { createPaint } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import { findServer } from './find-server.ts'
import type { Action } from './session.ts'

/** Exit codes: 1 the server refuses, 2 wrong usage, 3 the server cannot be reached. */
export async function runOnServer<Values>(
  { values, words, complaints, io }: Invocation<ServerValues & Values>,
  { check = () => [], act }: Action<Values>,
): Promise<number> {
  const all = [...complaints, ...check(words, values)]
  if (all.length > 0) return refuseUsage(all, io)
  const { url, sandbox, json, 'admin-token': token } = values
  const found = await findServer(url)
  if (!found.ok) {
    io.stderr.write(`${found.message}\n`)
    return found.exitCode
  }
  const ask = createAsk(sendOverHttp(found.admin, token), undefined)
  try {
    const exitCode = await act({
      values,
      words,
      io,
      paint: createPaint(io.stdout),
      admin: found.admin,
      ask: (method, path, body, query) => ask(method, path, body, { sandbox, ...query }),
      print: (answer, toLines) => {
        const lines = json ? [jsonLine(answer)] : toLines(answer)
        io.stdout.write(lines.map(line => `${line}\n`).join(''))
      },
    })
    return exitCode ?? exitCodes.fine
  } catch (error) {
    if (!(error instanceof PetMockError)) throw error
    io.stderr.write(`${printable(error.message)}\n`)
    return error.code === 'unreachable' ? exitCodes.unreachable : exitCodes.refused
  }
}
