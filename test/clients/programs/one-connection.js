import { Agent, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const { PET_MOCK_URL: url, PET_MOCK_KEY: key } = process.env
const tries = 30

/**
 * Makes 20 calls on one connection, each until it succeeds. `waitMs`: how long the client waits after a refusal.
 *
 * @param {(headers: import('node:http').IncomingHttpHeaders) => number} waitMs
 */
export async function call(waitMs) {
  for (let number = 0; number < 20; number += 1) {
    for (let made = 0; ; made += 1) {
      const { statusCode, headers } = await once()
      if (statusCode === 200) break
      if (made >= tries) process.exit(1)
      await wait(waitMs(headers))
    }
  }
  agent.destroy()
}

/** @returns {Promise<import('node:http').IncomingMessage>} */
function once() {
  return new Promise((resolve, reject) => {
    get(`${url}/pets`, { agent, headers: { Authorization: `Bearer ${key}` } }, response => {
      response.resume().on('end', () => resolve(response))
    }).on('error', reject)
  })
}
