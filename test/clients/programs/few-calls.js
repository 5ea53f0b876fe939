/*
 * A client of as many calls as it has words: list, create or get, the pet that it created last, else pet 1. It waits as long
 * as Retry-After says, else twice as long each time, and repeats what failed. With `--doubles`, it reads ids as JavaScript does.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isThere } from './work.js'

const words = process.argv.slice(2)
const base = `${process.env.PET_MOCK_URL}/pets`
const headers = { Authorization: `Bearer ${process.env.PET_MOCK_KEY}`, 'Content-Type': 'application/json' }
const name = `Rex ${process.pid}`
let id = '1'

/** Milliseconds. The forms of a date have no zone or another order. */
const waitOf = (/** @type {string | null} */ text, /** @type {number} */ tries) => {
  if (text === null) return 300 * 2 ** tries
  const ms = Number.isNaN(Number(text)) ? Date.parse(text) - Date.now() : Number(text) * 1_000
  return Number.isFinite(ms) && ms < 10_000 ? Math.max(0, ms) : 2_000
}

/** @param {string} url @param {RequestInit} [init] @returns {Promise<string>} */
const send = async (url, init = {}) => {
  for (let tries = 0; tries < 8; tries += 1) {
    try {
      const response = await fetch(url, { headers, ...init })
      const text = await response.text()
      if (response.ok) {
        JSON.parse(text)
        return text
      }
      if (response.status !== 429 && response.status < 500) throw new Refused(`${response.status}: ${text}`)
      await sleep(waitOf(response.headers.get('retry-after'), tries))
    } catch (error) {
      if (error instanceof Refused) throw error
      // Without a reply, the service may have created the pet.
      if (
        init.method === 'POST' &&
        (await isThere(async next => ({ pets: JSON.parse(await send(next)), link: null }), base, name))
      )
        return ''
      await sleep(300 * 2 ** tries)
    }
  }
  throw new Error('no success')
}

class Refused extends Error {}

const idIn = (/** @type {string} */ text) =>
  words.includes('--doubles') ? `${JSON.parse(text).id}` : (/"id": ?(\d+)/.exec(text)?.[1] ?? id)

for (const word of words) {
  if (word === 'list') await send(base)
  if (word === 'get') await send(`${base}/${id}`)
  if (word === 'create') {
    const body = JSON.stringify({ name, categoryId: 1, status: 'sold' })
    id = idIn(await send(base, { method: 'POST', body }))
  }
}
