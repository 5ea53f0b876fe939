import { setTimeout as sleep } from 'node:timers/promises'

/** All pets, page by page. A refused call is repeated after its wait, if that is at most a minute. */
export async function listPets(baseUrl, key) {
  const pets = []
  let url = `${baseUrl}/pets?limit=50`
  while (url !== undefined) {
    const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } })
    const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
    if (seconds <= 60) {
      await sleep(seconds * 1000)
      continue
    }
    if (!response.ok) throw new Error(`${response.status}: ${(await response.json()).message}`)
    pets.push(...(await response.json()))
    url = /<([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1]
  }
  return pets
}
