import { readUrl } from '../../arguments/flag-values.ts'
import { handedVariables } from '../../arguments/server-flags.ts'
import type { Io } from '../../terminal/io.ts'

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
  // The specification requires /v1. Another contract may have another base path.
  if (url.pathname === '/' && openapi === undefined) url.pathname = '/v1'
  return url
}
