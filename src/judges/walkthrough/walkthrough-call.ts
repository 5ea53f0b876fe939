import { writeJson } from '../../base/json/write.ts'
import type { CallStep } from '../../control/scenario/file.ts'
import type { WalkthroughCall } from './target.ts'

export function walkthroughCall({ call, key = null, headers = {}, body }: CallStep): WalkthroughCall {
  const [method = '', target = ''] = call.split(' ')
  const given = Object.entries(headers).map(([name, value]) => [name, `${value}`] as const)
  const has = (name: string) => given.some(([other]) => other.toLowerCase() === name)
  const defaults: (readonly [string, string])[] = []
  if (key !== null && !has('authorization')) defaults.push(['Authorization', `Bearer ${key}`])
  if (body !== undefined && !has('content-type')) defaults.push(['Content-Type', 'application/json'])
  const text = body === undefined || typeof body === 'string' ? body : writeJson(body)
  return { method, target, headers: [...defaults, ...given].flat(), body: text }
}
