import type { JsonValue } from '../../../base/json/value.ts'
import type { CallContext } from '../../../emulator/gates/call-context.ts'
import type { Breach } from '../../../emulator/journal/breach.ts'
import type { Answer } from '../../../service/call/answer.ts'
import { refuseProblems } from '../../../service/call/answer.ts'
import { readJsonBody } from '../../../service/call/json-body.ts'
import { absent, type Problem } from '../../../service/call/mismatch.ts'
import { byName, type ExchangeTexts } from '../prism/exchange-texts.ts'
import { findBreaches, type Operation } from '../prism/prism.ts'
import { jsonOf } from './prism-mocker.ts'

/** A request that the contract allows. */
export interface AreaRequest {
  readonly texts: ExchangeTexts
  /** Of a JSON body. */
  readonly body: JsonValue | undefined
}

/** Reads a request as the contract describes it, or refuses it in the words of the service's other refusals (A12, A16). */
export async function readAreaRequest(
  context: CallContext,
  operation: Operation,
  contractPath: string,
): Promise<AreaRequest | { readonly refusal: Answer }> {
  const described = operation.request?.body
  const texts = textsOf(context, contractPath, described !== undefined)
  const takesJson = jsonOf(described) !== undefined
  const mustHaveBody = described?.required === true
  const hasBody = context.call.body !== undefined && context.call.body.length > 0
  const read = takesJson && (hasBody || mustHaveBody) ? readJsonBody(context.call) : undefined
  if (read !== undefined && 'refusal' in read) return read
  const found = await findBreaches([operation], texts)
  const problems = (found?.breaches ?? []).filter(
    ({ side, part }) => side === 'request' && part !== 'security',
  )
  const ofBody = problems.filter(({ part }) => part === 'body' || part === 'status' || part === 'media type')
  const code = ofBody.length > 0 ? 'invalid_body' : 'invalid_parameter'
  if (problems.length > 0) return { refusal: refuseProblems(code, problems.map(problemOf)) }
  return { texts, body: read?.value }
}

function problemOf({ part, place, message }: Breach): Problem {
  return { what: place === '' ? part : place, asked: absent, expected: message, message }
}

/** A body that the operation does not take is not looked at, as that of a GET. */
function textsOf({ call, target }: CallContext, contractPath: string, takesBody: boolean): ExchangeTexts {
  const { body } = call
  return {
    method: call.method === 'HEAD' ? 'GET' : call.method,
    target: target.query === '' ? contractPath : `${contractPath}?${target.query}`,
    requestHeaders: byName(call.headers),
    requestBody:
      takesBody && body instanceof Uint8Array && body.length > 0 ? new TextDecoder().decode(body) : undefined,
    status: 200,
    headers: {},
    body: undefined,
  }
}
