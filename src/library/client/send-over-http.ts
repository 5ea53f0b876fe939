import type { Send } from './ask-plane.ts'
import { type AnswerLimits, exchange, type ServerTrust } from './exchange.ts'
import { PetMockError } from './pet-mock-error.ts'

/** Fits a snapshot, and the longest wait for requests. */
const usualLimits: AnswerLimits = { bytes: 512 * 1_048_576, ms: 660_000 }

export function sendOverHttp(
  admin: string,
  token: string | undefined,
  limitsOf: (target: string) => AnswerLimits = () => usualLimits,
  trust?: ServerTrust,
): Send {
  return async (method, target, body) => {
    const headers = [
      ...(body === undefined ? [] : ['Content-Type', 'application/json']),
      ...(token === undefined ? [] : ['Authorization', `Bearer ${token}`]),
    ]
    try {
      const url = new URL(`${admin}${target}`)
      const request = { method, target: url.pathname + url.search, headers, body, trust }
      return await exchange(url, request, limitsOf(target))
    } catch (error) {
      const message = `No pet-mock answers at ${admin}: ${reasonOf(error)}. Is it running?`
      throw new PetMockError('unreachable', message, { cause: error })
    }
  }
}

/** Where a name has several addresses, the error of each is inside, and its own message is empty. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
