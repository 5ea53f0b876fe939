import { type Ask, createAsk, type Send } from '../../src/library/client/ask-plane.ts'

/* In a page, the commands have one server: the pet-mock of the page. It replaces the module of the command line. */

let send: Send | undefined

export function connectCommands(plane: Send): void {
  send = plane
}

export async function findServer() {
  return { ok: true, admin: 'http://127.0.0.1:7387/__admin' }
}

export async function openPlane(): Promise<Ask> {
  if (send === undefined) throw new Error('No pet-mock runs in this page.')
  return createAsk(send, undefined)
}
