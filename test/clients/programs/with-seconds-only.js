/* Reads every Retry-After as a number. A date becomes NaN, and a timer of NaN fires at once. */
import { call } from './one-connection.js'

await call(headers => Number(headers['retry-after']) * 1_000)
