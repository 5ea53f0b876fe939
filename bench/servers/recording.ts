import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newPet } from '../load/load.ts'
import type { Bench } from '../measurement.ts'
import { unlimitedPetMock } from './pet-mock.ts'
import { startServer } from './server.ts'

/** What pet-mock answered once. */
export interface RecordedReply {
  readonly status: number
  /** Without those that Node itself adds to every reply. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** By method. */
export type Recording = Readonly<Record<'GET' | 'POST', RecordedReply>>

export interface Recorded {
  readonly recording: Recording
  /** The file that holds it. */
  readonly file: string
  /** All pets, as the list gives them. */
  readonly pets: readonly unknown[]
}

const addedByNode = new Set(['connection', 'keep-alive', 'date'])

/** Asks pet-mock once for everything that the others are to answer. */
export async function record({ root, folder, processes }: Bench): Promise<Recorded> {
  const server = await startServer(processes, unlimitedPetMock(root))
  try {
    const headers = { Authorization: `Bearer ${server.server.key}`, 'Content-Type': 'application/json' }
    const pets = server.url.replace(/\?.*/, '')
    const all = await fetch(`${pets}?limit=100`, { headers })
    const recording: Recording = {
      GET: await recorded(await fetch(server.url, { headers })),
      POST: await recorded(await fetch(pets, { method: 'POST', headers, body: newPet })),
    }
    const file = join(folder, 'recording.json')
    await writeFile(file, JSON.stringify(recording))
    return { recording, file, pets: JSON.parse(await all.text()) }
  } finally {
    await server.stop()
  }
}

async function recorded(response: Response): Promise<RecordedReply> {
  const headers = [...response.headers].filter(([name]) => !addedByNode.has(name))
  return { status: response.status, headers: Object.fromEntries(headers), body: await response.text() }
}
