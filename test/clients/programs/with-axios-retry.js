/* axios-retry with its defaults. */
import axios from 'axios'
import axiosRetry from 'axios-retry'
import { work } from './work.js'

const api = axios.create({ proxy: false, headers: { Authorization: `Bearer ${process.env.PET_MOCK_KEY}` } })
axiosRetry(api)

await work({
  list: async url => {
    const { data, headers } = await api.get(url)
    return { pets: data, link: headers.link }
  },
  create: (url, pet) => api.post(url, pet),
})
