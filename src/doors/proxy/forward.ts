import type { IncomingMessage } from 'node:http'
import type { HostGuard } from '../../emulator/gates/host-guard.ts'
import { headerValue } from '../../service/call/headers.ts'
import type { Reason } from '../../service/call/problems.ts'
import { readTarget } from '../../service/call/target.ts'
import type { Forward } from '../server/http-door.ts'
import { type Refusal, refuseRequest } from '../server/refusals.ts'
import { type CallOptions, ForwardedCall } from './forwarded-call.ts'
import { wantsUpgrade } from './message-headers.ts'

interface ForwardOptions extends CallOptions {
  readonly checkHost: HostGuard
  readonly onRefusal: (refusal: Refusal) => void
}

/** Forwards calls to the upstream, and its answers to the client, unchanged and in pieces as they come. */
export function createForward(options: ForwardOptions): Forward {
  return (request, response, context) => {
    const refusal = checkRequest(request, options.checkHost)
    if (refusal === undefined) new ForwardedCall(request, response, context, options).start()
    else refuseRequest(request, response, refusal, options.onRefusal)
  }
}

function checkRequest({ url = '/', rawHeaders }: IncomingMessage, checkHost: HostGuard): Reason | undefined {
  const refusal = checkHost(readTarget(url).authority ?? headerValue(rawHeaders, 'host'))
  if (refusal !== undefined || !wantsUpgrade(rawHeaders)) return refusal
  return {
    code: 'bad_request',
    message: 'pet-mock proxy forwards HTTP only: it does not upgrade connections.',
  }
}
