import type { APIRequestContext } from '@playwright/test'
import type { PetMock } from '../testing/pet-mock.ts'

/**
 * Makes a request context send a key of pet-mock with the sandbox of `mock`, where a test gives the key without one.
 * Other credentials stay as they are. All methods of the context send by `fetch`.
 */
export function sendInSandbox(request: APIRequestContext, mock: PetMock): void {
  const fetch = request.fetch.bind(request)
  request.fetch = async (target, options) => {
    const given = options?.headers ?? (typeof target === 'string' ? {} : target.headers())
    const headers = await inSandbox(given, mock)
    return await fetch(target, headers === given ? options : { ...options, headers })
  }
}

type Headers = Record<string, string>

async function inSandbox(headers: Headers, { key, apiKeys }: PetMock): Promise<Headers> {
  const sandbox = key.slice(key.lastIndexOf('+'))
  const [name, value] = Object.entries(headers).find(([name]) => /^authorization$/i.test(name)) ?? []
  const [, given] = /^Bearer +(.+)$/i.exec(value ?? '') ?? []
  if (name === undefined || given === undefined || given.endsWith(sandbox)) return headers
  // Scenarios and tests add keys of their own.
  const keys = await apiKeys.list()
  return keys.some(({ key }) => key === given) ? { ...headers, [name]: `Bearer ${given}${sandbox}` } : headers
}
