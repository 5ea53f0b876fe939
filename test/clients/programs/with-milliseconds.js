/* Waits for Retry-After, and takes its seconds for milliseconds. Otherwise it backs off as it should. */
import { setTimeout as sleep } from 'node:timers/promises'
import axios from 'axios'
import { isThere, work } from './work.js'

const api = axios.create({
  proxy: false,
  headers: { Authorization: `Bearer ${process.env.PET_MOCK_KEY}` },
  validateStatus: () => true,
})

const send = async (/** @type {import('axios').AxiosRequestConfig} */ config) => {
  for (let attempt = 0; ; attempt += 1) {
    const { status, headers, data } = await api.request(config)
    if (status < 400) return { data, headers }
    const isWorthIt = status === 429 || status >= 500
    if (!isWorthIt || attempt === 5) throw new Error(`${status}: ${data.message}`)
    await sleep(Number(headers['retry-after'] ?? 300 * 2 ** attempt))
  }
}

/** @type {import('./work.js').Client['list']} */
const list = async url => {
  const { data, headers } = await send({ url })
  return { pets: data, link: headers.link }
}

await work({
  list,
  create: async (url, pet) => {
    const config = { url, method: 'POST', data: pet }
    try {
      await send(config)
    } catch (error) {
      // Without a reply, the service may have created the pet.
      if (!axios.isAxiosError(error)) throw error
      if (!(await isThere(list, url, pet.name))) await send(config)
    }
  },
})
