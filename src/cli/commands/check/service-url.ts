import { readUrl } from '../../arguments/flag-values.ts'
import { handedVariables } from '../../arguments/server-flags.ts'
import type { Io } from '../../terminal/io.ts'

/** The base path that the specification requires. Another contract may have another one. */
const usualPath = '/v1'

/** The base URL from the command line or the environment, or a complaint. */
export function readServiceUrl(
  command: string,
  words: readonly string[],
  { openapi }: { readonly openapi: string | undefined },
  { env }: Pick<Io, 'env'>,
): URL | string {
  const [text = env[handedVariables.url]] = words
  if (text === undefined) return `Expected: pet-mock ${command} URL, such as http://127.0.0.1:7387/v1`
  const reading = readUrl(text)
  if (!reading.ok) return `URL: ${reading.problems.join('; ')}`
  const url = reading.value
  url.pathname = url.pathname.replace(/\/+$/, '')
  if (url.pathname === '/' && openapi === undefined) url.pathname = usualPath
  return url
}

/** Whether `readServiceUrl` added the base path. */
export function isPathAdded(words: readonly string[], { pathname }: URL, { env }: Pick<Io, 'env'>): boolean {
  const [text = env[handedVariables.url] ?? ''] = words
  return pathname === usualPath && !/\/v1\/*$/.test(text)
}
