import fc from 'fast-check'
import { expect, test } from 'vitest'
import { captureWorld, writeWorld } from '../../../../src/control/snapshot/take.ts'
import { playBox } from '../../../../src/judges/box/play-box.ts'
import { readBox } from '../../../../src/judges/box/read-box.ts'
import { browseBox } from '../../../../src/judges/box/runs/browse-box.ts'
import { drawnRun, record } from '../drawn-runs.ts'

test('any look at a call shows the world that the run had before it, in any order of looks', async () => {
  const places = fc.array(fc.nat(59), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(drawnRun, places, async (run, drawn) => {
      const { lines, worlds } = record(run)
      fc.pre(worlds.length > 0)
      const box = await readBox([lines])
      const play = () => playBox(box)
      const browsed = browseBox(box, play, (await play()).emulator, 1)
      expect([browsed.calls.length, browsed.end]).toEqual([worlds.length, worlds.length + 1])
      const numbers = drawn.map(place => 1 + (place % worlds.length))
      // All at once: they wait for each other.
      const looks = numbers.map(number =>
        browsed.look(number, world => [...writeWorld(captureWorld(world))].join('')),
      )
      for (const [index, number] of numbers.entries()) {
        const { state, played } = (await looks[index]) ?? {}
        const player = await play()
        await player.to(number)
        const { sandbox = 'default' } = browsed.calls[number - 1]?.effect ?? {}
        const world = player.emulator.sandboxes.get(sandbox)
        if (world !== undefined) expect(state).toBe([...writeWorld(captureWorld(world))].join(''))
        expect([played?.number, played?.isSame ?? true]).toEqual([number, true])
      }
    }),
    { numRuns: 40 },
  )
})
