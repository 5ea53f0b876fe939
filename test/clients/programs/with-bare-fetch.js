/* A bare fetch in a loop: what fails is sent again at once, for up to two seconds. */
import { work } from './work.js'

const headers = { Authorization: `Bearer ${process.env.PET_MOCK_KEY}`, 'Content-Type': 'application/json' }

const send = async (/** @type {string} */ url, /** @type {RequestInit} */ init = {}) => {
  const until = Date.now() + 2_000
  for (;;) {
    try {
      const response = await fetch(url, { headers, ...init })
      const body = /** @type {any} */ (await response.json())
      if (response.ok) return { body, link: response.headers.get('Link') }
      if (Date.now() > until) throw new Error(`${response.status}: ${body.message}`)
    } catch (error) {
      if (Date.now() > until) throw error
    }
  }
}

await work({
  list: async url => {
    const { body, link } = await send(url)
    return { pets: body, link }
  },
  create: (url, pet) => send(url, { method: 'POST', body: JSON.stringify(pet) }),
})
