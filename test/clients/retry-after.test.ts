import axios, { type AxiosRequestConfig } from 'axios'
import axiosRetry from 'axios-retry'
import got from 'got'
import ky, { HTTPError } from 'ky'
import createClient from 'openapi-fetch'
import { RetryAgent, request, Agent as UndiciAgent, fetch as undiciFetch } from 'undici'
import { describe, expect, it } from 'vitest'
import type { ScenarioFile } from '../../src/control/scenario/file.ts'
import { startPetMock } from '../../src/library/testing/start-pet-mock.ts'

/*
 * Client libraries with their defaults, and a key whose minute is used up. The clock runs thirty times as fast, so a wait
 * of a minute takes two or three seconds.
 */
interface Called {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Calls with a library, and resolves with the status that it ends with. */
type Client = (called: Called) => Promise<number>

const rex = '{"name":"Rex","categoryId":1}'

const withKy: Client = async ({ url, ...init }) => {
  try {
    return (await ky(url, init)).status
  } catch (error) {
    if (error instanceof HTTPError) return error.response.status
    throw error
  }
}

const withGot =
  (requestMs?: number): Client =>
  async ({ url, ...options }) => {
    const timeout = requestMs === undefined ? {} : { request: requestMs }
    return (await got(url, { ...options, timeout, throwHttpErrors: false })).statusCode
  }

const withAxios =
  (options: AxiosRequestConfig = {}): Client =>
  async ({ body, ...called }) => {
    const instance = axios.create({ proxy: false, ...options })
    axiosRetry(instance)
    try {
      return (await instance.request({ ...called, ...(body !== undefined && { data: body }) })).status
    } catch (error) {
      if (axios.isAxiosError(error) && error.response !== undefined) return error.response.status
      throw error
    }
  }

/** `maxTimeoutMs`: it never waits longer, whatever Retry-After says. The default is 30 s. */
const withRetryAgent =
  (maxTimeoutMs?: number): Client =>
  async ({ url, ...options }) => {
    const retry = maxTimeoutMs === undefined ? {} : { maxTimeout: maxTimeoutMs, minTimeout: maxTimeoutMs }
    const dispatcher = new RetryAgent(new UndiciAgent(), { ...retry, throwOnError: false })
    try {
      const { statusCode, body } = await request(url, { ...options, dispatcher })
      await body.dump()
      return statusCode
    } finally {
      await dispatcher.close()
    }
  }

const withFetch: Client = async ({ url, ...init }) => (await fetch(url, init)).status
const withUndiciFetch: Client = async ({ url, ...init }) => (await undiciFetch(url, init)).status

const withOpenapiFetch: Client = async ({ url, method, headers, body }) => {
  const client = createClient<{
    '/pets': Record<'get' | 'post', { requestBody?: never; responses: { 200: { content: never } } }>
  }>({
    baseUrl: new URL('.', url).href.replace(/\/$/, ''),
    headers,
    ...(body !== undefined && { bodySerializer: () => body }),
  })
  const { response } = await (method === 'GET' ? client.GET('/pets') : client.POST('/pets'))
  return response.status
}

const exhausted: ScenarioFile = { clock: { scale: 30 }, keys: { 'demo-free': { used: { minute: 60 } } } }
const banned: ScenarioFile = { extends: 'ban', clock: { scale: 30 } }

/** Calls a server with this scenario. Returns the statuses in its journal, the oldest first. */
async function fly(scenario: ScenarioFile, client: Client, method: Called['method'] = 'GET') {
  await using mock = await startPetMock({ scenario })
  const authorization = { Authorization: `Bearer ${mock.key}` }
  const ended = await client({
    url: `${mock.url}/pets`,
    method,
    headers: method === 'GET' ? authorization : { ...authorization, 'Content-Type': 'application/json' },
    ...(method === 'POST' && { body: rex }),
  })
  const requests = await mock.requests.list()
  const key = await mock.keys.get(mock.key)
  return { ended, statuses: requests.map(({ status }) => status), isBanned: key?.bannedUntil != null }
}

const polite: readonly (readonly [string, Client])[] = [
  ['ky', withKy],
  ['got', withGot()],
  ['axios with axios-retry', withAxios()],
  ['undici’s RetryAgent', withRetryAgent()],
]
const plain: readonly (readonly [string, Client])[] = [
  ['fetch', withFetch],
  ['undici’s fetch', withUndiciFetch],
  ['openapi-fetch', withOpenapiFetch],
]

describe('a client that knows Retry-After', () => {
  it.concurrent.each(polite)(
    '%s waits as long as Retry-After says, and calls once more',
    async (_name, client) => {
      expect(await fly(exhausted, client)).toEqual({ ended: 200, statuses: [429, 200], isBanned: false })
    },
  )

  it.concurrent.each(polite)('%s reads a date, too', async (_name, client) => {
    const { ended, statuses, isBanned } = await fly(
      { ...exhausted, limits: { retryAfter: 'http-date' } },
      client,
    )
    expect([ended, isBanned]).toEqual([200, false])
    // A timer may fire some milliseconds early. The client then gets another 429.
    expect(statuses.join()).toMatch(/^429,(?:429,)?200$/)
  })

  it.concurrent.each(polite)('%s does not repeat a POST', async (_name, client) => {
    expect(await fly(exhausted, client, 'POST')).toEqual({ ended: 429, statuses: [429], isBanned: false })
  })
})

describe('a client that ignores Retry-After', () => {
  it.concurrent.each(plain)('%s ends with the 429', async (_name, client) => {
    expect(await fly(exhausted, client)).toEqual({ ended: 429, statuses: [429], isBanned: false })
  })

  it.concurrent.each(plain)('%s, with a POST, too', async (_name, client) => {
    expect(await fly(exhausted, client, 'POST')).toEqual({ ended: 429, statuses: [429], isBanned: false })
  })
})

describe('a client with a limit to its patience', () => {
  it.concurrent.each([
    ['got, with a timeout of 5 s', withGot(5_000)],
    ['axios with axios-retry, with a timeout of 5 s', withAxios({ timeout: 5_000 })],
  ])('%s gives up at once when it is banned for 10 s', async (_name, client) => {
    expect(await fly(banned, client)).toEqual({ ended: 429, statuses: [429], isBanned: true })
  })

  it('undici’s RetryAgent comes too early, and is not banned for that', async () => {
    const { ended, statuses, isBanned } = await fly(exhausted, withRetryAgent(1_000))
    expect([ended, isBanned, statuses.at(-1)]).toEqual([200, false, 200])
    expect(statuses.length).toBeLessThanOrEqual(6)
  })
})
