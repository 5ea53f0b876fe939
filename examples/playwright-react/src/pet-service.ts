export const statuses = ['available', 'pending', 'sold'] as const
export type Status = (typeof statuses)[number]

export interface NewPet {
  readonly name: string
  readonly categoryId: number
  readonly status: Status
}

export interface Pet extends Omit<NewPet, 'status'> {
  readonly id: number
  readonly status?: Status
}

export interface Page {
  readonly pets: readonly Pet[]
  /** The cursor of the next page. The last page has none. */
  readonly next: string | undefined
}

/** How many calls are left in the current window. */
export interface Quota {
  readonly limit: number
  readonly remaining: number
}

/** Why a call failed. `retryAfterS`: the wait that the service requires, if any. */
export interface Refusal {
  readonly kind: 'limit' | 'ban' | 'outage' | 'mistake'
  readonly message: string
  readonly retryAfterS: number | undefined
}

export type Outcome<T> = { readonly quota: Quota | undefined } & (
  | { readonly value: T; readonly refusal?: never }
  | { readonly refusal: Refusal; readonly value?: never }
)

export interface PetService {
  /** `from`: the `next` of the previous page. */
  readonly listPets: (query: { status?: Status; from?: string }) => Promise<Outcome<Page>>
  readonly addPet: (pet: NewPet) => Promise<Outcome<Pet>>
}

/** The service for the screens. It throws nothing: a refusal is a value. */
export function createPetService({ baseUrl, key }: { baseUrl: string; key: string }): PetService {
  async function call<T>(
    path: string,
    init: RequestInit,
    read: (response: Response) => Promise<T>,
  ): Promise<Outcome<T>> {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    try {
      const response = await fetch(`${baseUrl}${path}`, { ...init, headers })
      const quota = readQuota(response)
      return response.ok
        ? { value: await read(response), quota }
        : { refusal: await readRefusal(response), quota }
    } catch {
      const message = 'The service cannot be reached.'
      return { refusal: { kind: 'outage', message, retryAfterS: undefined }, quota: undefined }
    }
  }

  return {
    listPets: ({ status, from }) => {
      const query = new URLSearchParams({
        limit: '12',
        ...(status && { status }),
        ...(from && { cursor: from }),
      })
      return call(`/pets?${query}`, {}, async response => ({
        pets: await response.json(),
        next: nextCursor(response.headers.get('Link')),
      }))
    },
    addPet: pet => call('/pets', { method: 'POST', body: JSON.stringify(pet) }, response => response.json()),
  }
}

async function readRefusal(response: Response): Promise<Refusal> {
  const { code = '', message = `The service answered ${response.status}.` } = await response
    .json()
    .catch(() => ({}))
  const told = response.headers.get('Retry-After')
  return {
    kind: kindOf(response.status, code),
    message,
    retryAfterS: told === null ? undefined : Number(told),
  }
}

function kindOf(status: number, code: string): Refusal['kind'] {
  if (code === 'api_key_banned') return 'ban'
  if (status === 429) return 'limit'
  return status >= 500 ? 'outage' : 'mistake'
}

function readQuota({ headers }: Response): Quota | undefined {
  const [limit, remaining] = [headers.get('X-RateLimit-Limit'), headers.get('X-RateLimit-Remaining')]
  return limit === null || remaining === null
    ? undefined
    : { limit: Number(limit), remaining: Number(remaining) }
}

/** The cursor in `Link: <https://…?cursor=…>; rel="next"`. */
function nextCursor(link: string | null): string | undefined {
  const next = /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1]
  return next === undefined ? undefined : (new URL(next).searchParams.get('cursor') ?? undefined)
}
