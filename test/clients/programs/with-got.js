/* got with right settings: waits for Retry-After up to an hour, and repeats a POST only if it was refused. */
import got, { HTTPError } from 'got'
import { isThere, work } from './work.js'

const api = got.extend({
  headers: { Authorization: `Bearer ${process.env.PET_MOCK_KEY}` },
  retry: {
    limit: 5,
    methods: ['GET', 'POST'],
    maxRetryAfter: 3_600_000,
    // Without a reply, the service may have created the pet.
    calculateDelay: ({ computedValue, error }) =>
      error.options.method === 'POST' && error.response === undefined ? 0 : computedValue,
  },
})

/** @type {import('./work.js').Client['list']} */
const list = async url => {
  const { body, headers } = await api(url)
  return { pets: JSON.parse(body), link: `${headers.link ?? ''}` }
}

await work({
  list,
  create: async (url, pet) => {
    try {
      await api.post(url, { json: pet })
    } catch (error) {
      if (error instanceof HTTPError) throw error
      if (!(await isThere(list, url, pet.name))) await api.post(url, { json: pet })
    }
  },
})
