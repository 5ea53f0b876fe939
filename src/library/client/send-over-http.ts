import type { Send } from './ask-plane.ts'
import { PetMockError } from './pet-mock-error.ts'

/** Sends requests to the admin plane of a server over HTTP. */
export function sendOverHttp(admin: string, token: string | undefined): Send {
  return async ({ method, target, body }) => {
    const headers = {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    }
    try {
      const response = await fetch(`${admin}${target}`, {
        method,
        headers,
        ...(body !== undefined && { body }),
      })
      return { status: response.status, text: await response.text() }
    } catch (error) {
      const message = `No pet-mock answers at ${admin}: ${reasonOf(error)}. Is it running?`
      throw new PetMockError('unreachable', message, { cause: error })
    }
  }
}

/** fetch fails with "fetch failed"; its cause has the reason. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}
