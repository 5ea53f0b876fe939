/* ky with right settings: waits for Retry-After up to an hour, and repeats a POST only if it was refused. */
import ky, { HTTPError } from 'ky'
import { isThere, work } from './work.js'

const api = ky.create({
  headers: { Authorization: `Bearer ${process.env.PET_MOCK_KEY}` },
  timeout: 30_000,
  retry: {
    limit: 5,
    methods: ['get', 'post'],
    shouldRetry: ({ error }) => {
      // Without a reply, the service may have created the pet.
      if (!(error instanceof HTTPError)) return false
      return Number(error.response.headers.get('Retry-After')) > 3_600 ? false : undefined
    },
  },
})

/** @type {import('./work.js').Client['list']} */
const list = async url => {
  const response = await api(url)
  return { pets: await response.json(), link: response.headers.get('Link') }
}

await work({
  list,
  create: async (url, pet) => {
    try {
      return await api.post(url, { json: pet }).json()
    } catch (error) {
      if (error instanceof HTTPError) throw error
      if (!(await isThere(list, url, pet.name))) await api.post(url, { json: pet })
    }
  },
})
