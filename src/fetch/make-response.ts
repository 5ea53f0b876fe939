import type { Reply } from '../call/call.ts'

/** A reply as the web Response that fetch would give for it. */
export function makeResponse({ status, headers, body }: Reply): Response {
  return new Response(body ?? null, { status, headers: { ...headers } })
}
