/*
 * A client in Node: `client.mjs kind=fetch shape=loop accepted=3 early=2 pause=100 …`. The words are explained in ../cells.ts.
 * It makes its calls when its standard input ends, prints one line for each answer, and fails if its refusal did not come.
 */
import { once } from 'node:events'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * @typedef {{ status: number, waitMs: number }} Answer
 * @typedef {(path: string) => Promise<Answer>} Send
 */

/** @type {Record<string, string>} */
const plan = Object.fromEntries(process.argv.slice(2).map(word => word.split('=')))
const base = process.env.PET_MOCK_URL ?? ''
const headers = { Authorization: `Bearer ${process.env.PET_MOCK_KEY}` }

const number = (/** @type {string} */ name) => Number(plan[name] ?? 0)

const answer = (/** @type {number} */ status, /** @type {unknown} */ retryAfter) => ({
  status,
  waitMs: Number(retryAfter ?? 0) * 1_000,
})

/** @type {Record<string, () => Send | Promise<Send>>} */
const kinds = {
  fetch: () => async path => {
    const response = await fetch(base + path, { headers })
    await response.text()
    return answer(response.status, response.headers.get('retry-after'))
  },
  'fetch-unread': () => async path => {
    const response = await fetch(base + path, { headers })
    return answer(response.status, response.headers.get('retry-after'))
  },
  undici: async () => {
    const { Agent, request } = await import('undici')
    const dispatcher = new Agent()
    return async path => {
      const { statusCode, headers: got, body } = await request(base + path, { dispatcher, headers })
      await body.dump()
      return answer(statusCode, got['retry-after'])
    }
  },
  agent: () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: number('sockets') })
    return path =>
      new Promise((resolve, reject) => {
        const request = http.get(base + path, { agent, headers }, response => {
          const { statusCode = 0, headers: got } = response
          response.resume().on('end', () => resolve(answer(statusCode, got['retry-after'])))
        })
        request.on('error', reject)
      })
  },
  axios: async () => {
    const { default: axios } = await import('axios')
    const client = axios.create({ headers, proxy: false, validateStatus: () => true })
    return async path => {
      const { status, headers: got } = await client.get(base + path)
      return answer(status, got['retry-after'])
    }
  },
  got: async () => {
    const { default: got } = await import('got')
    const client = got.extend({ headers, retry: { limit: 0 }, throwHttpErrors: false })
    return async path => {
      const response = await client.get(base + path)
      return answer(response.statusCode, response.headers['retry-after'])
    }
  },
}

const open = kinds[plan.kind ?? '']
if (open === undefined) throw new Error(`no kind ${plan.kind}`)
const sendPlain = await open()
const startedAt = performance.now()
let refused = 0

/** @type {Send} */
async function send(path) {
  const sentAt = performance.now()
  const got = await sendPlain(path)
  if (got.status === 429) refused += 1
  const at = (/** @type {number} */ ms) => (ms - startedAt).toFixed(1)
  process.stdout.write(`${at(sentAt)}-${at(performance.now())} ${got.status} ${path}\n`)
  return got
}

const pathOf = (/** @type {number} */ index) => (plan.calls === 'different' ? `/pets/${index + 1}` : '/pets')

/**
 * Makes a call until it is accepted, and waits as long as its own refusals say.
 * @param {string} path
 */
async function obey(path) {
  for (let tries = 0; tries < 5; tries += 1) {
    const { status, waitMs } = await send(path)
    if (status !== 429) return
    await sleep(waitMs)
  }
}

/** @type {Record<string, () => Promise<unknown>>} */
const shapes = {
  /** Calls in sequence until a refusal, and early calls after it. */
  loop: async () => {
    for (let made = 0; made < number('accepted'); made += 1) await send('/pets')
    const { waitMs } = await send('/pets')
    const refusedAt = performance.now()
    for (let early = 0; early < number('early'); early += 1) {
      await sleep(number('pause'))
      const { status } = await send(pathOf(early))
      if (status !== 429) throw new Error('the wait was over before the early calls')
    }
    if (plan.end !== 'returns') return
    await sleep(refusedAt + waitMs - performance.now())
    await send('/pets')
  },
  /** Calls that are handed over at once. */
  burst: () =>
    Promise.all(
      Array.from({ length: number('count') }, async (_, index) => {
        const { status, waitMs } = await send(pathOf(index))
        if (status !== 429 || plan.end !== 'returns') return
        await sleep(waitMs)
        await send(pathOf(index))
      }),
    ),
  /** Workers that start at once. Each obeys its own refusals. Their pauses differ. */
  pool: () =>
    Promise.all(
      Array.from({ length: number('workers') }, async (_, worker) => {
        for (let made = 0; made < 5; made += 1) {
          await obey(pathOf(worker))
          if (number('pause') > 0) await sleep(number('pause') * (1 + worker / number('workers')))
        }
      }),
    ),
  /** Workers that take turns, so that they never call at once. Each obeys its own refusal. */
  turns: () =>
    Promise.all(
      Array.from({ length: number('workers') }, async (_, worker) => {
        await sleep(number('pause') * worker)
        await obey(pathOf(worker))
      }),
    ),
  /** Each call is sent a second time if its answer is late. The first accepted answer counts. */
  hedge: async () => {
    for (let made = 0; made < 5; made += 1) {
      const first = send('/pets')
      const isLate = await Promise.race([first.then(() => false), sleep(number('pause'), true)])
      const answers = await Promise.all(isLate ? [first, send('/pets')] : [first])
      await sleep(Math.max(...answers.map(({ waitMs }) => waitMs)))
    }
  },
  /** A client that waits, and then makes two calls at once until one is refused. */
  waited: async () => {
    for (let made = 0; made < number('accepted'); made += 1) await send('/pets')
    await sleep((await send('/pets')).waitMs)
    for (let pairs = 0; pairs < 5; pairs += 1) {
      const answers = await Promise.all([send(pathOf(0)), send(pathOf(1))])
      if (answers.some(({ status }) => status === 429)) return
      await sleep(number('pause'))
    }
  },
}

const run = shapes[plan.shape ?? '']
if (run === undefined) throw new Error(`no shape ${plan.shape}`)
process.stdout.write('ready\n')
process.stdin.resume()
await once(process.stdin, 'end')
await run()
if (refused === 0) throw new Error('no call was refused')
process.exit()
