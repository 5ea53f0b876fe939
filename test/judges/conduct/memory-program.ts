import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import { createConduct } from '../../../src/judges/conduct/conduct.ts'
import { createSecrets } from '../../../src/service/keys/mask.ts'

/* Judges many callers with long targets and large bodies: run with a small heap. It prints the number of judged calls. */

const conduct = createConduct({
  secrets: createSecrets(),
  textOf: () => text => text,
  isKey: () => false,
  startsAt: () => 1,
})
const callers = 100
const callsOfEach = 180

function exchangeOf(caller: number, number: number): Exchange {
  const path = `/v1/pets?x=${`${number}.`.padEnd(9_000, 'x')}`
  // In turn: a first page, a further page, a refusal and an invalid call.
  const [status, code, target] = [
    [200, undefined, path],
    [200, undefined, `${path}&cursor=${number}`],
    [429, 'rate_limit_exceeded', path],
    [400, 'invalid_body', path],
  ][number % 4] as [number, string | undefined, string]
  return {
    id: number + 1,
    sandbox: `w${caller}`,
    at: number,
    scale: 1,
    call: {
      method: 'GET',
      target,
      headers: ['Authorization', 'Bearer demo-free'],
      body: new Uint8Array(number % 4 === 3 ? 10_000 : 0),
      scheme: 'http',
      client: '127.0.0.1',
      connection: { opened: 0, closedAt: number },
      receivedAt: number,
    },
    reply: { status, headers: { 'Retry-After': '60' }, body: undefined },
    trace: {
      gate: status === 429 ? 'limit' : 'operation',
      code,
      key: 'demo-free',
      plan: 'free',
      limit: undefined,
      strikes: 0,
      bannedUntil: undefined,
      banAfter: undefined,
      operation: 'listPets',
      stability: undefined,
      rules: undefined,
      synthetic: false,
      mismatches: undefined,
    },
    cut: { call: undefined, reply: undefined },
  }
}

for (let caller = 0; caller < callers; caller += 1)
  for (let number = 0; number < callsOfEach; number += 1) conduct.add(exchangeOf(caller, number))

process.stdout.write(`${conduct.calls()} ${conduct.callers().length}\n`)
