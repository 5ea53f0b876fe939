/**
 * Lines of JavaScript for a command below `pet-mock exec`: a client with one connection, whose `call(path)` resolves
 * with the status. What comes on a connection after a refusal comes knowingly.
 */
export const hastyClient = `
  import { Agent, get } from 'node:http'
  const { PET_MOCK_URL: url, PET_MOCK_KEY: key, PET_MOCK_ADMIN: admin } = process.env
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const call = (path, as = key) => new Promise((resolve, reject) => {
    const headers = { Authorization: 'Bearer ' + as, 'User-Agent': 'shop/1.2' }
    get(url + path, { agent, headers }, response => response.resume().on('end', () => resolve(response.statusCode)))
      .on('error', reject)
  })
  process.on('beforeExit', () => agent.destroy())
`
