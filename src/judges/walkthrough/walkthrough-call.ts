import { writeJson } from '../../base/json/write.ts'
import type { CallStep } from '../../control/scenario/walkthrough.ts'
import type { WalkthroughCall } from './target.ts'

/** The call of a step; `key` is the scenario's, for steps that name none. */
export function walkthroughCall({ call, key = null, headers = {}, body }: CallStep): WalkthroughCall {
  const [method = '', target = ''] = call.split(' ')
  const said = Object.entries(headers).map(([name, value]) => [name, `${value}`] as const)
  const says = (name: string) => said.some(([other]) => other.toLowerCase() === name)
  const usual: (readonly [string, string])[] = []
  if (key !== null && !says('authorization')) usual.push(['Authorization', `Bearer ${key}`])
  if (body !== undefined && !says('content-type')) usual.push(['Content-Type', 'application/json'])
  const text = body === undefined || typeof body === 'string' ? body : writeJson(body)
  return { method, target, headers: [...usual, ...said].flat(), body: text }
}
