import { isJsonObject } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import type { JsonObject } from '../../base/json/value.ts'
import type { Answer } from '../../service/call/answer.ts'
import type { Preferences } from '../../service/call/prefer.ts'
import { missingKey } from '../../service/keys/unauthorized.ts'
import { type Example, findExample } from '../../service/operations/preferred.ts'
import { answerRule, likeService } from '../rules/injected-answer.ts'
import { datesOf, type InjectedCall } from '../rules/service-error.ts'

/** The answer that a `Prefer` header asks for: an example of the contract, or an error. */
export function answerPreferred(preferences: Preferences, call: InjectedCall): Answer | undefined {
  const example = findExample(preferences, call.operation())
  if (example !== undefined && 'body' in example) return answerExample(example, call)
  const { code } = preferences
  if (code === undefined) return undefined
  return answerRule(likeService(code, `The request asked for this answer: Prefer: code=${code}.`), call)
}

/** The headers are the service's for the status; `Location` names the example's pet. */
function answerExample({ status, body }: Example, call: InjectedCall): Answer {
  const { code, id } = fieldsOf(body)
  const headers = {
    ...datesOf(status, call.lifetime?.()),
    ...(status === 201 && { Location: `${call.path}/${id}` }),
    ...(code === 'missing_api_key' && missingKey().headers),
  }
  return answerRule({ status, code: status >= 400 ? `${code}` : undefined, headers, body }, call)
}

function fieldsOf(body: string): JsonObject {
  const read = readJson(body)
  return 'value' in read && isJsonObject(read.value) ? read.value : {}
}
