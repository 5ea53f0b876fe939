/*
 * A small client: it creates a pet, reads the list page by page, and fails unless the pet is there once. It does
 * that right in every situation that `rehearse --search` draws. The variable FAULT names what it does wrong instead.
 */
import { setTimeout as sleep } from 'node:timers/promises'

/** @typedef {{ pets: { name: string }[], link: string | null }} Page */

const { PET_MOCK_URL: base, PET_MOCK_KEY: key, FAULT: fault } = process.env
const tries = 8
const pauseMs = 20
const pet = { name: 'Rex of the small client', categoryId: 1 }
const first = `${base}/pets?limit=40`

/** Resolves with undefined, after the wait that is due, if the call must be made again. */
const send = async (/** @type {string} */ url, /** @type {object} */ options) => {
  const response = await fetch(url, {
    ...options,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
  })
  const { status, headers } = response
  const text = await response.text()
  if (fault === 'gives up when banned' && text.includes('api_key_banned'))
    throw new Error('The key is banned.')
  if (status === 429 || status >= 500) return void (await sleep(waitOf(status, headers)))
  if (!response.ok) throw new Error(`${url}: ${status}`)
  return { pets: JSON.parse(text), link: headers.get('link') }
}

/** In milliseconds. */
const waitOf = (/** @type {number} */ status, /** @type {Headers} */ headers) => {
  const retryAfter = headers.get('retry-after')
  if (fault === 'retries at once' && status === 429) return 0
  if (retryAfter === null) return pauseMs
  if (fault === 'reads seconds as milliseconds') return Number(retryAfter) || 0
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000
  if (fault === 'knows no dates') throw new Error(`Retry-After is no number: ${retryAfter}`)
  // The oldest of the three forms names no time zone.
  const end = Date.parse(retryAfter.endsWith('GMT') ? retryAfter : `${retryAfter} GMT`)
  return Math.max(0, end - Date.parse(headers.get('date') ?? ''))
}

/** @returns {Promise<Page>} */
const call = async (/** @type {string} */ url, options = {}, isDone = async () => false) => {
  for (let at = 0; at < tries; at += 1) {
    try {
      const page = await send(url, options)
      if (page !== undefined) return page
    } catch (error) {
      const isBroken = error instanceof SyntaxError && fault !== 'trusts each body'
      if (!isBroken && !(error instanceof TypeError)) throw error
      await sleep(pauseMs * 2 ** at)
      if (await isDone()) return { pets: [], link: null }
    }
  }
  throw new Error(`${url} failed ${tries} times.`)
}

const countPets = async () => {
  let count = 0
  /** @type {string | undefined} */
  let url = first
  while (url !== undefined) {
    /** @type {Page} */
    const { pets, link } = await call(url)
    count += pets.filter(({ name }) => name === pet.name).length
    url = /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1]
  }
  return count
}

// After a reply that never came, the pet may be there.
const isThere = fault === 'creates again' ? undefined : async () => (await countPets()) > 0
await call(`${base}/pets`, { method: 'POST', body: JSON.stringify(pet) }, isThere)
const count = await countPets()
if (count !== 1) throw new Error(`The pet is there ${count} times.`)
