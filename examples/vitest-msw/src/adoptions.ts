/* The code under test: it knows the real service's address, and nothing of any mock. */
const baseUrl = 'https://api.example.com/v1'

export interface Pet {
  readonly id: number
  readonly name: string
  readonly status?: 'available' | 'pending' | 'sold'
}

export class LimitReached extends Error {
  readonly retryAfterS: number

  constructor(retryAfterS: number) {
    super(`The limit is reached. It is well again in ${retryAfterS} s.`)
    this.retryAfterS = retryAfterS
  }
}

export async function listAvailable(key: string, limit = 20): Promise<readonly Pet[]> {
  return (await call(key, `/pets?status=available&limit=${limit}`)).json()
}

export async function addPet(key: string, name: string): Promise<Pet> {
  const body = JSON.stringify({ name, categoryId: 1, status: 'available' })
  return (await call(key, '/pets', { method: 'POST', body })).json()
}

/** Lists the available pets. If the limit is reached, waits and tries once more. */
export async function listWhenPossible(key: string): Promise<readonly Pet[]> {
  try {
    return await listAvailable(key)
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error
    await new Promise(resolve => setTimeout(resolve, error.retryAfterS * 1000))
    return listAvailable(key)
  }
}

async function call(key: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const response = await fetch(`${baseUrl}${path}`, { ...init, headers })
  if (response.status === 429) throw new LimitReached(Number(response.headers.get('Retry-After')))
  if (!response.ok) throw new Error(`The service says ${response.status}.`)
  return response
}
