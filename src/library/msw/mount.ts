import { showValue } from '../../control/files/show.ts'
import { PetMockError } from '../client/pet-mock-error.ts'

/** Where handlers stand: the service's `/v1`, seen from outside, as a reverse proxy sees it. */
export interface Mount {
  /** With its `/v1`, absolute, without a slash at its end. */
  readonly baseUrl: string
  /** As a Host names it, without the port. */
  readonly hostname: string
  /** Whether it holds of a URL without query and fragment that it is at or under the base URL. */
  readonly pattern: RegExp
  /** The request target, as the service itself sees it, of a path under the base URL. */
  readonly inside: (target: string) => string
  /** Headers of a reply with their links leading to where the service is mounted. */
  readonly outside: (headers: Readonly<Record<string, string>>) => Readonly<Record<string, string>>
}

/** `page`: the address that a relative base URL is relative to. Throws a PetMockError that says what would be right. */
export function readMount(baseUrl: string, page?: string): Mount {
  if (!URL.canParse(baseUrl, page)) {
    const example = "'https://api.example.com/v1'"
    throw new PetMockError(
      'invalid_parameter',
      `baseUrl: expected an absolute URL such as ${example}, found ${showValue(baseUrl)}`,
    )
  }
  const { origin, protocol, hostname, pathname, search, hash } = new URL(baseUrl, page)
  const path = pathname.replace(/\/$/, '')
  if (!/^https?:$/.test(protocol) || search !== '' || hash !== '') {
    const expected = 'expected an http or https URL without a query and a fragment'
    throw new PetMockError('invalid_parameter', `baseUrl: ${expected}, found ${showValue(baseUrl)}`)
  }
  if (!path.endsWith('/v1')) {
    const remedy = `give ${showValue(`${origin}${path}/v1`)}`
    throw new PetMockError(
      'invalid_parameter',
      `baseUrl: the API's addresses end in /v1, and ${showValue(baseUrl)} does not; ${remedy}`,
    )
  }
  const prefix = path.slice(0, -'/v1'.length)
  const moved = (link: string) => link.replace(/^(https?:\/\/[^/]+)?(?=\/v1(?:[/?]|$))/, `$&${prefix}`)
  return {
    baseUrl: `${origin}${path}`,
    hostname,
    pattern: new RegExp(`^${escapePattern(`${origin}${path}`)}(?:/.*)?$`),
    inside: target => target.slice(prefix.length),
    outside: headers => {
      const { Location: location, Link: link } = headers
      if (prefix === '' || (location === undefined && link === undefined)) return headers
      return {
        ...headers,
        ...(location !== undefined && { Location: moved(location) }),
        ...(link !== undefined && {
          Link: link.replace(/(?<=<)[^>]*(?=>)/g, moved),
        }),
      }
    },
  }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
