import { writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { ownHeap } from '../../tools/fuzz/heap.ts'
import { type Lane, sessionOf } from '../../tools/fuzz/lane.ts'
import { startPetMock } from '../../tools/fuzz/server/server.ts'

/** Lanes that end badly at their third case. */
function planted(name: string, end: () => Promise<void>): Lane {
  const open = async () => {
    let cases = 0
    const run = async () => {
      cases += 1
      if (cases === 3) await end()
      return 1
    }
    return sessionOf({ cases: fc.nat(), run, heap: ownHeap })
  }
  return { name, about: name, share: 1, perCase: 1, open }
}

export const lanes: readonly Lane[] = [
  planted('endless', async () => {
    for (;;);
  }),
  planted('crash', async () => {
    setImmediate(() => {
      throw new Error('out of the blue')
    })
    await new Promise(() => {})
  }),
  planted('server', async () => {
    const { port } = await startPetMock()
    writeFileSync(process.env.PORT_FILE ?? '', `${port}`)
    for (;;);
  }),
  planted('sound', async () => {}),
]
