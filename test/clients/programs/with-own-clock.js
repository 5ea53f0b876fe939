/* Waits until X-RateLimit-Reset by its own clock, and reads no Retry-After. */
import { call } from './one-connection.js'

const least = 50

await call(headers => Math.max(least, Number(headers['x-ratelimit-reset']) * 1_000 - Date.now()))
