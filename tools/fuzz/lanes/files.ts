import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type Complaint, formatComplaint } from '../../../src/control/files/complaint.ts'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { readFixtures } from '../../../src/control/fixtures/read.ts'
import { crossCheck } from '../../../src/control/scenario/checks/cross-check.ts'
import { readScenario } from '../../../src/control/scenario/read/read.ts'
import { readSnapshotFile } from '../../../src/control/scenario/read/read-snapshot.ts'
import { settle } from '../../../src/control/scenario/settle/settle.ts'
import { shippedScenarios } from '../../../src/control/scenario/shipped.ts'
import { restoreSandboxes } from '../../../src/control/snapshot/restore.ts'
import { takeSandboxesSnapshot, takeSnapshot } from '../../../test/support/snapshots.ts'
import { emulate } from '../core/emulate.ts'
import { expectComplaints } from '../files/expect-complaints.ts'
import { mutated, mutatedValues } from '../files/mutate.ts'
import { goodCalls } from '../grammar/any-call.ts'
import { type Schema, valuesOf } from '../grammar/from-schema.ts'
import { ownHeap } from '../heap.ts'
import { type Lane, type Subject, sessionOf } from '../lane.ts'

const root = new URL('../../../', import.meta.url)
const textsIn = (folder: string) =>
  readdirSync(new URL(folder, root)).map(name => readFileSync(new URL(folder + name, root), 'utf8'))

type Outcome =
  | { readonly ok: true; readonly act: () => void }
  | { readonly ok: false; readonly complaints: readonly Complaint[] }

/** A lane of texts, of which each is rejected with places, or read and then used. */
function textLane(
  facts: Omit<Lane, 'open' | 'perCase'>,
  texts: () => fc.Arbitrary<string>,
  read: (text: string) => Promise<Outcome>,
): Lane {
  const run: Subject<string>['run'] = async text => {
    const outcome = await read(text)
    if (outcome.ok) outcome.act()
    else expectComplaints(text, outcome.complaints.map(formatComplaint))
    return 1
  }
  return { ...facts, perCase: 1, open: async () => sessionOf({ cases: texts(), run, heap: ownHeap }) }
}

export const scenarioLane = textLane(
  { name: 'scenario', about: 'scenario files, mutated or made from their schema', share: 22_000 },
  () => {
    const schema: Schema = JSON.parse(readFileSync(new URL('schemas/scenario.schema.json', root), 'utf8'))
    return fc.oneof(mutated(textsIn('scenarios/')), mutatedValues(valuesOf(schema, { '#': schema })))
  },
  async text => {
    const readText = async (path: string) => {
      if (path === 'f.yaml') return text
      throw new Error('no such file')
    }
    const sources = { readText, fixtures: shippedFixtures, shipped: shippedScenarios }
    const reading = await readScenario('f.yaml', sources)
    if (!reading.ok) return reading
    const file = reading.value
    return {
      ok: true,
      act: () => {
        if (Number(file.pets?.count ?? 0) > 10_000) return
        const { handle, expectState } = emulate(settle('f', file, shippedFixtures), 1_772_452_800_000)
        for (const call of goodCalls) handle(call)
        expectState()
      },
    }
  },
)

const fixtureNames = ['pets.yaml', 'keys.yaml', 'categories.yaml', 'orders.yaml'] as const

export const fixtureLane: Lane = {
  name: 'fixtures',
  about: 'files of pets, keys, categories and orders',
  share: 12_000,
  perCase: 1,
  open: async () => {
    const files = fixtureNames.map(name => {
      const text = readFileSync(new URL(`fixtures/${name}`, root), 'utf8')
      return mutated([text]).map(text => ({ name, text }))
    })
    const run = async ({ name, text }: { readonly name: string; readonly text: string }) => {
      const reading = await readFixtures('', new Map([[name, text]]), shippedFixtures)
      if (!reading.ok) {
        expectComplaints(text, reading.complaints.map(formatComplaint))
        return 1
      }
      // Without a key, there is no scenario: the command says so.
      if (crossCheck({}, reading.value).length > 0) return 1
      const { handle, expectState } = emulate(settle('f', {}, reading.value), 1_772_452_800_000)
      for (const call of goodCalls) handle(call)
      expectState()
      return 1
    }
    return sessionOf({ cases: fc.oneof(...files), run, heap: ownHeap })
  },
}

export const stateLane = textLane(
  { name: 'state', about: 'state files and snapshots', share: 20_000 },
  () => mutated(snapshots()),
  async text => {
    const reading = readSnapshotFile('s.json', text)
    if (!reading.ok) return reading
    return {
      ok: true,
      act: () => {
        const { emulator, handle, expectState } = emulate(settle('f', {}, shippedFixtures), 1_772_452_800_000)
        emulator.sandboxes.replaceAll(...restoreSandboxes(reading.value))
        for (const call of goodCalls) handle(call)
        expectState()
        JSON.stringify(takeSandboxesSnapshot(emulator.sandboxes), (_name, value) =>
          typeof value === 'bigint' ? `${value}` : value,
        )
      },
    }
  },
)

/** Of a server in use: with rules, events and several sandboxes. */
function snapshots(): readonly string[] {
  const names = ['free-plan', 'flaky', 'ban-escalation', 'shared-key', 'revoked-midway']
  return names.flatMap(name => {
    const scenario = settle(name, shippedScenarios.get(name) ?? {}, shippedFixtures)
    const { emulator, change, handle } = emulate(scenario, 1_772_452_800_000)
    for (const call of goodCalls) handle(call)
    change('w1', { do: 'reset' }, 1_772_452_800_000)
    const write = (value: unknown) =>
      JSON.stringify(value, (_name, field) => (typeof field === 'bigint' ? Number(field) : field), 1)
    return [write(takeSnapshot(emulator.sandboxes.default)), write(takeSandboxesSnapshot(emulator.sandboxes))]
  })
}
