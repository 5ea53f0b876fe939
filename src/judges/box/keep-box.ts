import type { Emulator } from '../../emulator/emulator.ts'
import type { Served } from './box.ts'
import { boxOfSandbox } from './box-of-sandbox.ts'
import { packBox, unpackBox } from './pack-box.ts'
import { recordBox } from './record-box.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Bytes in gzip, in whole members. */
type Members = readonly Bytes[]

/** A part of a box, which needs none before it. */
export interface Part {
  readonly add: (members: Members) => Promise<unknown>
  readonly read: () => Promise<Members>
  readonly drop: () => Promise<void>
}

/** The box of a run that goes on. */
export type KeptBox = Pick<BoxKeeper<Part>, 'copy'>

export type BoxKeeper<P extends Part> = Readonly<ReturnType<typeof keepBox<P>>>

interface KeepOptions<P> {
  readonly begin: () => P
  readonly pack: (lines: string) => Promise<Bytes> | Bytes
  /** Bytes that all parts may have. Beyond them the oldest one goes. */
  readonly mostBytes: number
}

/** How many parts fill the whole size. */
const fewParts = 4

/** Members that do not wait for their time. */
const mostPacked = 50

const inMemory: KeepOptions<Part> = { begin: createPart, pack: packBox, mostBytes: 8 * 1_048_576 }

/** Records an emulator from now on, by default in memory. `served`, `start`: see recordBox. */
export function keepBox<P extends Part = Part>(
  emulator: Emulator,
  served: Served & { readonly version: string },
  start?: Emulator['sandboxes'],
  { begin, pack, mostBytes }: KeepOptions<P> = inMemory as KeepOptions<Part & P>,
) {
  const parts: { readonly part: P; bytes: number }[] = []
  /** Bytes of the newest part without its start. */
  let grown = 0
  /** Lines that no part has. The first of a new part are its start. */
  const packed: ReturnType<typeof pack>[] = []
  let beginsPart = true
  let problem: unknown
  let last: Promise<void> = Promise.resolve()
  const keep = async (members: Members, isStart: boolean) => {
    if (isStart) parts.push({ part: begin(), bytes: 0 })
    const newest = parts.at(-1)
    if (newest === undefined) return
    await newest.part.add(members)
    const bytes = members.reduce((sum, { length }) => sum + length, 0)
    newest.bytes += bytes
    if (!isStart) grown += bytes
    while (parts.length > 1 && parts.reduce((sum, { bytes }) => sum + bytes, 0) > mostBytes)
      await parts.shift()?.part.drop()
  }
  const packLines = (lines = recorder.take()) => lines.length > 0 && packed.push(pack(lines))
  const flush = (lines?: string): Promise<void> => {
    packLines(lines)
    const members = packed.splice(0)
    const isStart = beginsPart
    if (members.length === 0) return last
    last = last
      .then(async () => (problem === undefined ? keep(await Promise.all(members), isStart) : undefined))
      .catch(error => {
        problem = error
        recorder.end()
      })
    beginsPart = grown > mostBytes / fewParts && recorder.beginPart()
    if (beginsPart) grown = 0
    return last
  }
  const recorder = recordBox(emulator, served, start, () => {
    packLines()
    if (packed.length > mostPacked) void flush()
  })
  const { look, note } = recorder
  return {
    look,
    note,
    /** Hands the lines so far to the part. Resolves when it has them. */
    flush: () => flush(),
    /** A box file up to now, in pieces: of all sandboxes (`*`), or of one. Rejects with the error of a part. */
    copy: async (sandbox: string): Promise<Members> => {
      await flush()
      if (problem !== undefined) throw problem
      // After the writes so far, and before the next one.
      const reading = last.then(() => Promise.all(parts.map(({ part }) => part.read())))
      last = reading.then(
        () => {},
        () => {},
      )
      const members = (await reading).flat()
      const end = '{"end":true}\n'
      if (sandbox === '*') return [...members, await packBox(end)]
      return [await packBox(boxOfSandbox((await unpackBox(members)) + end, sandbox))]
    },
    /** Ends the box. Resolves with its parts, and the error of one that ended it before. */
    end: async () => {
      await flush(recorder.end())
      return { parts: parts.map(({ part }) => part), problem }
    },
  }
}

function createPart(): Part {
  const members: Bytes[] = []
  return { add: async further => members.push(...further), read: async () => members, drop: async () => {} }
}
