import type { JsonValue } from '../../../base/json/value.ts'
import type { CallContext } from '../../../emulator/gates/call-context.ts'
import { type Answer, absent, refuseProblems } from '../../../service/call/answer.ts'
import { readJsonBody } from '../../../service/call/json-body.ts'
import { bodyText, byName, type ExchangeTexts } from '../prism/exchange-texts.ts'
import { findBreaches } from '../prism/prism.ts'
import { contractPath, type Described } from './described-operation.ts'
import { jsonOf } from './prism-mocker.ts'

/** Validates a request against the contract and reads a JSON body. A refusal has the form of other refusals (A12, A16). */
export async function readAreaRequest(
  { call, target }: CallContext,
  described: Described,
  segments: readonly string[],
): Promise<{ texts: ExchangeTexts; body: JsonValue | undefined } | { refusal: Answer }> {
  const { operation } = described
  const expected = operation.request?.body
  const path = contractPath(described, segments)
  const requestBody = bodyText(call.body)
  const texts = {
    method: call.method === 'HEAD' ? 'GET' : call.method,
    target: target.query === '' ? path : `${path}?${target.query}`,
    requestHeaders: byName(call.headers),
    // An operation without a body ignores one.
    requestBody: expected === undefined ? undefined : requestBody,
    status: 200,
    headers: {},
    body: undefined,
  }
  const needsBody = expected?.required === true
  const hasBody = call.body !== undefined && call.body.length > 0
  const read = jsonOf(expected) && (hasBody || needsBody) ? readJsonBody(call) : undefined
  if (read !== undefined && 'refusal' in read) return read
  const found = await findBreaches([operation], texts)
  const breaches = (found?.breaches ?? []).filter(
    ({ side, part }) => side === 'request' && part !== 'security',
  )
  if (breaches.length === 0) return { texts, body: read?.value }
  const isAboutBody = breaches.some(({ part }) => ['body', 'status', 'media type'].includes(part))
  const problems = breaches.map(({ part, place, message }) => ({
    what: place || part,
    asked: absent,
    expected: message,
    message,
  }))
  return { refusal: refuseProblems(isAboutBody ? 'invalid_body' : 'invalid_parameter', problems) }
}
