import { expect, it } from 'vitest'
import { createRequestLines } from '../../../src/cli/log/request-lines.ts'
import { createPaint } from '../../../src/cli/terminal/text.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import { showExchange } from '../../../src/judges/inspection/view.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'

/** The views of calls of one emulator, whose minute is nearly used up. */
function viewsOf(...calls: readonly (readonly [target: string, key: string])[]) {
  const exchanges: Exchange[] = []
  const scenario = scenarioOf({ keys: { 'demo-free': { used: { minute: 57, day: 57 } } } })
  const emulator = createEmulator({ scenario, startedAt: noon })
  emulator.observe(exchange => exchanges.push(exchange))
  for (const [target, key] of calls) {
    const headers = ['Host', 'localhost:7387', 'Authorization', `Bearer ${key}`]
    const rest = { body: undefined, scheme: 'http', client: '127.0.0.1', receivedAt: noon } as const
    emulator.handle({ method: 'GET', target, headers, ...rest })
  }
  return exchanges.map(exchange => showExchange(exchange))
}

const time = new Date(noon).toTimeString().slice(0, 8)
const calls = viewsOf(
  ['/v1/pets?limit=5', 'demo-free'],
  [`/v1/pets?status=${'a'.repeat(100)}&last=1`, 'demo-free'],
  [`/v1/pets/${'b'.repeat(40)}`, 'wrong'],
  ['/v1/pets', 'demo-free'],
  ['/v1/pets', 'demo-free'],
)

it('at 80 columns leaves out the middle of a target, and wraps between words only', () => {
  const lines = createRequestLines(createPaint({}), 80, false)(calls).flatMap(text => text.split('\n'))
  expect(lines).toEqual([
    `#1  ${time}  GET /v1/pets?limit=5    200  demo-free free  2/60 left this minute`,
    `#2  ${time}  GET /v1/pet…aaa&last=1  400  demo-free free  1/60 left this minute`,
    '          invalid_parameter',
    `#3  ${time}  GET /v1/pet…bbbbbbbbbb  401                  invalid_api_key`,
    `#4  ${time}  GET /v1/pets            200  demo-free free  0/60 left this minute`,
    `#5  ${time}  GET /v1/pets            429  demo-free free  0/60 left this minute`,
    '          rate_limit_exceeded, wait 60 s',
  ])
})

it('without a width shows everything on one line', () => {
  const lines = createRequestLines(createPaint({}), undefined, false)(calls)
  expect(lines[1]).toMatch(/ GET \/v1\/pets\?status=a{100}&last=1 {2}400 .* invalid_parameter$/)
})
