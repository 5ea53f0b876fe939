import { createHash } from 'node:crypto'

/** How the checksum ends a file: the last field of its JSON. It covers every byte before. */
const ending = /,\n"checksum":"([0-9a-f]{64})"\}\n$/
const endingLength = ',\n"checksum":""}\n'.length + 64

/** Adds a checksum to the pieces of a JSON object, as its last field. The last piece must end with `}` and a newline. */
export function* withChecksum(pieces: Iterable<string>): Generator<string> {
  const hash = createHash('sha256')
  let piece = ''
  for (const next of pieces) {
    hash.update(piece)
    yield piece
    piece = next
  }
  const end = piece.replace(/\}\n$/, '')
  yield `${end},\n"checksum":"${hash.update(end).digest('hex')}"}\n`
}

/** Whether the checksum that ends a file is the one of its bytes. Undefined if no checksum ends it. */
export function hasRightChecksum(bytes: Buffer): boolean | undefined {
  const start = Math.max(0, bytes.length - endingLength)
  const [, written] = ending.exec(bytes.toString('latin1', start)) ?? []
  if (written === undefined) return undefined
  return createHash('sha256').update(bytes.subarray(0, start)).digest('hex') === written
}
