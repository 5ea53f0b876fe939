/* `node calls.js SECONDS ROUNDS`: prints, by kind of call, the nanoseconds of one through `handle`, a sample a round. */
import type { Call } from '../../../src/service/call/call.ts'
import { newPet } from '../load/load.ts'
import { callOf, emulatorOf } from './in-process.ts'
import { filteredList } from './pets-world.ts'

interface Kind {
  readonly status: number
  readonly call: (n: number) => Call
}

const pets = 10_000
const body = new TextEncoder().encode(newPet)
const kinds: Readonly<Record<string, Kind>> = {
  'list, a page asked for before': { status: 200, call: () => callOf('/v1/pets?limit=20') },
  'list, another place each time': { status: 200, call: n => callOf(filteredList(n, pets)) },
  'get a pet': { status: 200, call: n => callOf(`/v1/pets/${1 + (n % pets)}`) },
  'create a pet': { status: 201, call: () => callOf('/v1/pets', { body }) },
  'refused: unknown key (401)': { status: 401, call: () => callOf('/v1/pets?limit=20', { key: 'nobody' }) },
  'refused: over the limit (429)': { status: 429, call: () => callOf('/v1/pets?limit=20', { key: 'spent' }) },
}

const batch = 500
const [, , seconds = '1', rounds = '5'] = process.argv
const msEach = (Number(seconds) * 1_000) / Object.keys(kinds).length
// Each kind has a world of its own: a created pet would throw away the pages that lists keep.
const running = Object.entries(kinds).map(([name, kind]) => ({ name, kind, ...emulatorOf(pets), n: 0 }))
const times: Record<string, number[]> = Object.fromEntries(running.map(({ name }) => [name, []]))
// The first round only warms up.
for (let round = 0; round <= Number(rounds); round += 1) {
  for (const each of running) {
    let calls = 0
    let elapsed = 0
    while (elapsed < msEach) {
      const made = Array.from({ length: batch }, (_, place) => each.kind.call(each.n + place))
      const from = performance.now()
      for (const call of made) {
        const { status } = each.handle(call)
        if (status !== each.kind.status) throw new Error(`${each.name}: ${status}`)
      }
      elapsed += performance.now() - from
      each.n += batch
      calls += batch
    }
    if (round > 0) times[each.name]?.push((elapsed / calls) * 1e6)
  }
}
process.stdout.write(JSON.stringify(times))
