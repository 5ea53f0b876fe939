import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Command } from '../../../src/control/scenario/file.ts'
import { createKeyNames } from '../../../src/judges/box/key-names.ts'
import { playBox } from '../../../src/judges/box/play-box.ts'
import { readBox } from '../../../src/judges/box/read-box.ts'
import { drawnRun, ownKeys, record, worldsOf } from './drawn-runs.ts'

/** The same names for the same keys in the order in which the box has them. */
function renamed(text: string): string {
  return text.replace(/(?:partner-(?:live)?)?key-\d+-[\da-f]{8}/g, name => name.slice(-8))
}
const names = createKeyNames()
for (const key of ownKeys) names.add(key)
const withNames = (text: string) => renamed(names.replaceIn(text))

test('any run is the same when its box is played', async () => {
  await fc.assert(
    fc.asyncProperty(drawnRun, async run => {
      const { lines, worlds, end } = record(run)
      expect(lines).not.toMatch(/partner-live-0123456789|hunter2-secret|c2VjcmV0LXBhc3M|words-secret/)
      const box = await readBox([lines])
      expect(box.isWhole).toBe(true)
      const player = await playBox(box)
      for (const [index, before] of worlds.entries()) {
        await player.to(index + 1)
        expect(renamed(worldsOf(player.emulator))).toBe(withNames(before))
        const played = await player.step()
        expect(played?.isSame ?? true, `call ${played?.number}`).toBe(true)
        // A rule fits the key and not its name, which is older: from then on, nothing is compared.
        if (played?.exchange !== undefined && played.isSame === undefined) return
      }
      expect(await player.step()).toBeUndefined()
      expect(renamed(worldsOf(player.emulator))).toBe(withNames(end))
    }),
    { numRuns: 100 },
  )
})

test('after a call whose key fits a later rule and whose name does not, no response is compared', async () => {
  const pass = 1_000
  const call = (method: string, key: string) => ({
    call: {
      method,
      target: '/v1/pets',
      header: ['Authorization', `Bearer ${key}`],
      body: '{"name":"Rex","categoryId":1}',
    },
    pass,
  })
  const rule = { match: { key: 'partner-*' }, then: { status: 503 } }
  const addRule = { command: { do: 'addRule', rule } as Command, sandbox: undefined, pass }
  const before = [call('GET', 'demo-free'), call('GET', 'partner-x')]
  // The rule refuses the POST in the run, and not when it is played: then the list has one more pet.
  const steps = [...before, addRule, call('POST', 'partner-x'), call('GET', 'demo-free')]
  const player = await playBox(await readBox([record({ scenario: 'own', before: 0, steps }).lines]))
  const compared: (boolean | undefined)[] = []
  for (let step = await player.step(); step !== undefined; step = await player.step())
    compared.push(step.isSame)
  expect(compared).toEqual([true, true, undefined, undefined])
})
