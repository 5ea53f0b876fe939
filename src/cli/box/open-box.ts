import { createGunzip } from 'node:zlib'
import { leadToDashboard } from '../../doors/admin/pages/wants-page.ts'
import { serveContract } from '../../doors/server/served-contract.ts'
import type { AreasSource, OpenAreas } from '../../emulator/gates/open-areas.ts'
import { type PlayOptions, playBox } from '../../judges/box/play-box.ts'
import { BoxError, readBox } from '../../judges/box/read-box.ts'
import { codeOf, explainFileError, readBytes, readText, Unreadable } from '../../library/files/read-file.ts'
import { failed, type LoadedBy } from '../start/load/loading.ts'

export type OpenedBox = LoadedBy<typeof openBox>

/** Bytes of a packed box. */
const mostBytes = 512 * 1_048_576

/** Reads a box, as untrusted, and makes an emulator at its start. `openapi`: the contract, if the box has only its digest. */
export async function openBox(path: string, openapi: string | undefined, options: PlayOptions = {}) {
  const bytes = await readBytes(path, mostBytes).catch(explainFileError)
  if (typeof bytes === 'string') return failed(`${path} cannot be read (${bytes})`)
  let line = 1
  const count = (lines: number) => {
    line += lines
  }
  try {
    const box = await readBox(unpack(bytes, count))
    const loadAreas = (source: AreasSource) => loadContract(source, openapi)
    const contract = leadToDashboard(serveContract({ token: undefined, isExposed: false }))
    /** Begins the run again, by default the whole one. */
    const play = (run = box) => playBox(run, { loadAreas, contract, ...options })
    return { ok: true as const, value: { box, bytes, play, player: await play() } }
  } catch (error) {
    if (error instanceof BoxError) return failed(`${path}: ${error.message}`)
    const damage = damages[codeOf(error)]
    if (damage === undefined) throw error
    return failed(`${path}: line ${line}: ${damage}`)
  }
}

/** What is wrong at a place, by the code of Node's error. */
const damages: Readonly<Partial<Record<string, string>>> = {
  Z_BUF_ERROR: 'the file is cut here',
  Z_DATA_ERROR: 'the file is damaged here, or no box of pet-mock',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'the text is not UTF-8',
}

async function* unpack(bytes: Uint8Array, onLines: (count: number) => void): AsyncGenerator<string> {
  const gunzip = createGunzip()
  gunzip.end(bytes)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of gunzip) {
    const text = decoder.decode(chunk, { stream: true })
    yield text
    onLines(text.split('\n').length - 1)
  }
  decoder.decode()
}

/** A box may name any file: without `openapi`, its contract comes from the box alone. */
async function loadContract(source: AreasSource, openapi: string | undefined): Promise<OpenAreas> {
  const { file, only, files, digest } = source
  if (files === undefined && openapi === undefined)
    throw new BoxError(`it has only the digest of the contract ${file}: add --openapi FILE`)
  const { loadAreas } = await import('../../library/files/load-contract.ts')
  const readEmbedded = async (path: string) => {
    const text = files !== undefined && Object.hasOwn(files, path) ? files[path] : undefined
    if (text === undefined) throw new Unreadable('it is not in the box')
    return text
  }
  const loading = await (files === undefined
    ? loadAreas(openapi ?? '', readText, only)
    : loadAreas(file, readEmbedded, only))
  if (!loading.ok) throw new BoxError(loading.complaints.join('\n'))
  const { areas } = loading.value
  if (files === undefined && areas.source?.digest !== digest)
    throw new BoxError(`--openapi ${openapi} is not the contract of the run, which was ${file}`)
  return areas
}
