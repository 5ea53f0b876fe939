import type { Reply } from '../../service/call/call.ts'
import { type Reason, replyWithoutCall } from '../server/refusals.ts'

/** Why the upstream gave no answer that could be passed on, and what to do about it. */
export function explainFailure(error: Error & { readonly code?: string }, origin: string): Reason {
  return { code: 'upstream_failed', message: `${sentence(error, origin)} pet-mock answers in its place.` }
}

function sentence(error: Error & { readonly code?: string }, origin: string): string {
  const { code = '' } = error
  switch (code) {
    case 'ECONNREFUSED':
      return `Nobody listens at ${origin}.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host of ${origin} is not known here.`
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${origin} cannot be reached (${code}).`
    case 'ECONNRESET':
    case 'EPIPE':
      return `${origin} closed the connection before it had answered.`
    case 'EPROTO':
      return `${origin} does not speak TLS as it should: is its scheme http?`
    default:
      if (/^HPE_/.test(code)) return `What ${origin} answered is no HTTP (${code}).`
      if (/CERT|SELF_SIGNED|VERIFY|ALTNAME/.test(code))
        return `The certificate of ${origin} is not trusted (${code}): NODE_EXTRA_CA_CERTS=FILE names one that vouches for it.`
      return `${origin} failed (${code || error.message}).`
  }
}

/** The answer to a call that could not be passed on: it says that it is none of the service's. */
export function failureReply(reason: Reason): Reply {
  const reply = replyWithoutCall(reason)
  return { ...reply, headers: { ...reply.headers, 'X-Pet-Mock': 'proxy' } }
}
