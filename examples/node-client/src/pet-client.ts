import { setTimeout as sleep } from 'node:timers/promises'
import createClient from 'openapi-fetch'
import type { components, paths } from './pet-api.js'
import { type Retrying, retryingFetch } from './retrying-fetch.js'

export type Pet = components['schemas']['Pet']
export type NewPet = components['schemas']['NewPet']
export type PetStatus = components['schemas']['PetStatus']

const patient = { fetch, sleep, retries: 6, patienceMs: 120_000, jitter: Math.random }

export interface PetClientOptions extends Partial<Retrying> {
  /** Ends in `/v1`. */
  readonly baseUrl: string
  readonly key: string
}

/** A refusal of the service, with its code and message. */
export class PetServiceError extends Error {
  readonly code: string
  readonly status: number

  constructor({ code, message, status }: components['schemas']['Error']) {
    super(message)
    this.code = code
    this.status = status
  }
}

export function createPetClient({ baseUrl, key, ...retrying }: PetClientOptions) {
  const client = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${key}` },
    fetch: retryingFetch({ ...patient, ...retrying }),
  })

  /** All pets. Each page is requested when it is needed. */
  async function* pets(status?: PetStatus): AsyncGenerator<Pet> {
    let cursor: string | undefined
    do {
      const query = { limit: 100, status, cursor }
      const { data, error, response } = await client.GET('/pets', { params: { query } })
      if (error !== undefined) throw new PetServiceError(error)
      yield* data
      cursor = nextCursor(response.headers.get('Link'))
    } while (cursor !== undefined)
  }

  async function addPet(pet: NewPet): Promise<Pet> {
    const { data, error } = await client.POST('/pets', { body: pet })
    if (error !== undefined) throw new PetServiceError(error)
    return data
  }

  return { pets, addPet }
}

/** The cursor in `Link: <https://…?cursor=…>; rel="next"` (RFC 8288). */
function nextCursor(link: string | null): string | undefined {
  const next = /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1]
  return next === undefined ? undefined : (new URL(next).searchParams.get('cursor') ?? undefined)
}
