import type { Reply } from '../../service/call/call.ts'
import type { Reason } from '../../service/call/problems.ts'
import { replyWithoutCall } from '../server/refusals.ts'

/** Explains why the upstream gave no usable answer, and what to do. */
export function explainFailure(error: Error & { readonly code?: string }, origin: string): Reason {
  return { code: 'upstream_failed', message: `${sentence(error, origin)} pet-mock answers instead.` }
}

function sentence(error: Error & { readonly code?: string }, origin: string): string {
  const { code = '' } = error
  switch (code) {
    case 'ECONNREFUSED':
      return `No server listens at ${origin}.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host name of ${origin} does not resolve.`
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${origin} cannot be reached (${code}).`
    case 'ECONNRESET':
    case 'EPIPE':
      return `${origin} closed the connection before it answered.`
    case 'EPROTO':
      return `${origin} does not speak valid TLS. If it speaks plain HTTP, use http:// in the URL.`
    default:
      if (/^HPE_/.test(code)) return `The answer of ${origin} is not valid HTTP (${code}).`
      if (/CERT|SELF_SIGNED|VERIFY|ALTNAME/.test(code))
        return `The certificate of ${origin} is not trusted (${code}). Set NODE_EXTRA_CA_CERTS=FILE to trust its issuer.`
      return `${origin} failed (${code || error.message}).`
  }
}

/** The proxy's own answer, marked as not the service's. */
export function failureReply(reason: Reason): Reply {
  const reply = replyWithoutCall(reason)
  return { ...reply, headers: { ...reply.headers, 'X-Pet-Mock': 'proxy' } }
}
