import { createChange } from '../../../src/control/change/change.ts'
import { createEventRunner } from '../../../src/control/change/run-event.ts'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts'
import type { Scenario } from '../../../src/emulator/worlds/scenario.ts'
import type { World } from '../../../src/emulator/worlds/world.ts'
import type { Call, Reply } from '../../../src/service/call/call.ts'
import { judgeReply } from '../judge/judge-reply.ts'
import { isPet } from '../judge/schemas.ts'
import { Broken } from '../lane.ts'

interface Emulation {
  readonly emulator: Emulator
  readonly change: ReturnType<typeof createChange>
  readonly handle: (call: Call) => Reply
  /** Throws Broken if a world contradicts itself. */
  readonly expectState: () => void
}

/** An emulator whose defects throw, and whose replies are judged. */
export function emulate(scenario: Scenario, startedAt: number): Emulation {
  const onError = (error: unknown) => {
    throw error
  }
  const emulator = createEmulator({ scenario, startedAt, onError, runEvent: createEventRunner() })
  let calls = 0
  return {
    emulator,
    change: createChange(emulator.sandboxes, shippedFixtures),
    handle: call => {
      const reply = emulator.handle(call)
      calls += 1
      const { status, headers, body: text = '' } = reply
      if (reply.fault === undefined)
        judgeReply({ status, headers, text }, { isHead: call.method === 'HEAD', hasRules: true })
      return reply
    },
    expectState: () => {
      if (emulator.metrics.calls.total !== calls)
        throw new Broken(`${calls} calls were made, and the metrics count ${emulator.metrics.calls.total}`)
      for (const world of emulator.sandboxes) expectWorld(world)
    },
  }
}

function expectWorld({ pets, journal, keys, nextExchange, firstExchange, sandbox }: World): void {
  let count = 0
  let last: bigint | undefined
  for (const pet of pets) {
    const id = BigInt(pet.id)
    if (last !== undefined && id <= last) throw new Broken(`The pet ${id} follows ${last} in ${sandbox}`)
    if (!isPet({ ...plain(pet), id: Number(id), categoryId: Number(pet.categoryId) }))
      throw new Broken(`Not a Pet: ${String(pet.name)}`)
    last = id
    count += 1
  }
  if (count !== pets.size) throw new Broken(`${sandbox} lists ${count} pets and counts ${pets.size}`)
  if (journal.size > 1_000 || journal.size > nextExchange - 1)
    throw new Broken(
      `The journal of ${sandbox} keeps ${journal.size} of ${nextExchange - firstExchange} calls`,
    )
  for (const { text, windows } of keys.values())
    if (windows.minute.used < 0 || windows.day.used < 0) throw new Broken(`A count of ${text} is negative`)
}

/** Without fields that are undefined, as JSON has it. */
function plain(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined))
}
