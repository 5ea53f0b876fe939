import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Ended, type RunOptions, serveJson } from '../support/run-command.ts'

const headers = { Authorization: 'Bearer demo-enterprise', 'Content-Type': 'application/json' }

/** A server with clients that create pets. */
export async function serve(args: readonly string[], options?: RunOptions) {
  const running = await serveJson(args, options)
  const { url } = running.ready
  const addPet = async (name: string) => {
    const body = JSON.stringify({ name, categoryId: 1 })
    const response = await fetch(`${url}/pets`, { method: 'POST', headers, body })
    await response.text()
    expect(response.status).toBe(201)
  }
  const listPets = async () => (await fetch(`${url}/pets?limit=1`, { headers })).status
  const petNamed = async (id: number): Promise<string> =>
    ((await (await fetch(`${url}/pets/${id}`, { headers })).json()) as { name: string }).name
  const stop = (): Promise<Ended> => {
    running.child.kill('SIGTERM')
    return running.ended
  }
  return { ...running, addPet, listPets, petNamed, stop }
}

/** Resolves when the file has this text. */
export async function untilFile(path: string, text: string): Promise<void> {
  while (!existsSync(path) || !readFileSync(path, 'utf8').includes(text)) await sleep(20)
}
