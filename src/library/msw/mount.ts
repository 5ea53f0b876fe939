import { showValue } from '../../control/files/show.ts'
import type { Reply } from '../../service/call/call.ts'
import { PetMockError } from '../client/pet-mock-error.ts'

/** The service's `/v1` at another URL, as behind a reverse proxy. */
export type Mount = ReturnType<typeof readMount>

/** `page`: the base of a relative URL. Throws a PetMockError for an unusable base URL. */
export function readMount(baseUrl: string, page?: string) {
  if (!URL.canParse(baseUrl, page))
    throw refusal(
      `expected an absolute URL such as 'https://api.example.com/v1', found ${showValue(baseUrl)}`,
    )
  const { origin, protocol, hostname, pathname, search, hash } = new URL(baseUrl, page)
  const path = pathname.replace(/\/$/, '')
  if (!/^https?:$/.test(protocol) || search !== '' || hash !== '')
    throw refusal(`expected an http or https URL without a query or a fragment, found ${showValue(baseUrl)}`)
  if (!path.endsWith('/v1'))
    throw refusal(
      `expected a URL that ends in /v1, such as ${showValue(`${origin}${path}/v1`)}, found ${showValue(baseUrl)}`,
    )
  const prefix = path.slice(0, -'/v1'.length)
  const moved = (link: string) => link.replace(/^(https?:\/\/[^/]+)?(?=\/v1(?:[/?]|$))/, `$&${prefix}`)
  return {
    /** Absolute, with `/v1` and without a slash at its end. */
    baseUrl: `${origin}${path}`,
    hostname,
    /** Matches URLs at or below the base URL, without query and fragment. */
    pattern: new RegExp(`^${`${origin}${path}`.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?:/.*)?$`),
    /** Converts a path below the base URL to a request target of the service. */
    inside: (target: string) => target.slice(prefix.length),
    /** Moves the links in the headers of a reply below the base URL. */
    outside: (headers: Reply['headers']): Reply['headers'] => {
      const { Location: location, Link: link } = headers
      if (prefix === '') return headers
      return {
        ...headers,
        ...(location !== undefined && { Location: moved(location) }),
        ...(link !== undefined && { Link: link.replace(/(?<=<)[^>]*(?=>)/g, moved) }),
      }
    },
  }
}

function refusal(problem: string): PetMockError {
  return new PetMockError('invalid_parameter', `baseUrl: ${problem}`)
}
