/*
 * A client of as many steps as it has words, over one connection: `GET /pets`, `POST /pets {…}`, `key NAME`, `key none`,
 * `wait 50` (milliseconds), `exit 3`. With the first word `polite`, it waits for Retry-After, or longer each time, and repeats
 * what failed.
 */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let key = process.env.PET_MOCK_KEY
const words = process.argv.slice(2)
const isPolite = words[0] === 'polite'

/** @returns {Promise<{ status: number, wait: number }>} `wait`: seconds. */
const send = (/** @type {string} */ method, /** @type {string} */ target, /** @type {string} */ body) =>
  new Promise(resolve => {
    const headers = {
      ...(key !== 'none' && { Authorization: `Bearer ${key}` }),
      ...(body !== '' && { 'Content-Type': 'application/json' }),
    }
    request(`${process.env.PET_MOCK_URL}${target}`, { agent, method, headers })
      .on('response', response => {
        const wait = Number(response.headers['retry-after'])
        response
          .on('error', () => resolve({ status: 0, wait: Number.NaN }))
          .on('end', () => resolve({ status: response.statusCode ?? 0, wait }))
          .resume()
      })
      .on('error', () => resolve({ status: 0, wait: Number.NaN }))
      .end(body)
  })

for (const word of words.slice(isPolite ? 1 : 0)) {
  const [verb = '', target = '', ...rest] = word.split(' ')
  if (verb === 'wait') await sleep(Number(target))
  else if (verb === 'key') key = target
  else if (verb === 'exit') process.exitCode = Number(target)
  else {
    for (let tries = 0; tries < 8; tries += 1) {
      const { status, wait } = await send(verb, target, rest.join(' '))
      if (!isPolite || (status > 0 && status < 429)) break
      await sleep(Number.isNaN(wait) ? 300 * 2 ** tries : wait * 1_000)
    }
  }
}
agent.destroy()
