/* `node --expose-gc sizes.js SECONDS ROUNDS`: prints what pets cost, by their number. */
import type { Emulator } from '../../../src/emulator/emulator.ts'
import { newPet } from '../load/load.ts'
import { median } from '../statistics.ts'
import { callOf, emulatorOf } from './in-process.ts'
import { filteredList, sizes } from './pets-world.ts'

export interface SizeCosts {
  readonly pets: number
  /** Heap and buffers, less those of an emulator without pets. */
  readonly bytesAPet: number
  /** The same once one pet was created: a world then has lists of its own beside the scenario's. */
  readonly bytesAPetWritten: number
  /** Milliseconds from a scenario's fields to an emulator that can answer. */
  readonly seedMs: readonly number[]
  /** Microseconds of a filtered list: the median of each round. */
  readonly listUs: readonly number[]
}

const { gc } = globalThis
if (gc === undefined) throw new Error('start it with --expose-gc')
const [, , seconds = '1', rounds = '5'] = process.argv
const body = new TextEncoder().encode(newPet)

/** Bytes that are held, when all garbage is gone. */
function held(): number {
  gc?.()
  gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Bytes of one emulator, and the same once it has created a pet: of several, where few pets would drown in noise. */
function measureHeap(pets: number) {
  const copies = Math.ceil(100_000 / Math.max(pets, 1_000))
  const before = held()
  const emulators = Array.from({ length: copies }, () => emulatorOf(pets))
  const bytes = (held() - before) / copies
  for (const { handle } of emulators) handle(callOf('/v1/pets', { body }))
  return { bytes, bytesWritten: (held() - before) / copies }
}

function measureSeeding(pets: number): readonly number[] {
  return Array.from({ length: Number(rounds) }, () => {
    const from = performance.now()
    emulatorOf(pets)
    return performance.now() - from
  })
}

/** Microseconds of each of some filtered lists. */
function listOften(emulator: Emulator, pets: number, from: number, count: number): number[] {
  return Array.from({ length: count }, (_, place) => {
    const call = callOf(filteredList(from + place, pets))
    const start = performance.now()
    const { status } = emulator.handle(call)
    const us = (performance.now() - start) * 1_000
    if (status !== 200) throw new Error(`a list of ${pets} pets: ${status}`)
    return us
  })
}

measureHeap(0)
measureHeap(1_000)
const empty = measureHeap(0)
const worlds = sizes.map(pets => ({
  pets,
  ...measureHeap(pets),
  seedMs: measureSeeding(pets),
  emulator: emulatorOf(pets),
  listUs: [] as number[],
}))
const block = 200
let n = 0
for (let round = 0; round <= Number(rounds); round += 1) {
  const samples = worlds.map(() => [] as number[])
  const end = performance.now() + Number(seconds) * 1_000
  while (performance.now() < end) {
    worlds.forEach(({ emulator, pets }, index) => {
      samples[index]?.push(...listOften(emulator, pets, n, block))
    })
    n += block
  }
  // The first round only warms up.
  if (round > 0) worlds.forEach(({ listUs }, index) => void listUs.push(median(samples[index] ?? [])))
}
const costs: SizeCosts[] = worlds.map(({ pets, bytes, bytesWritten, seedMs, listUs }) => ({
  pets,
  bytesAPet: (bytes - empty.bytes) / pets,
  bytesAPetWritten: (bytesWritten - empty.bytesWritten) / pets,
  seedMs,
  listUs,
}))
process.stdout.write(JSON.stringify(costs))
