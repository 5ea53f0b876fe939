import { join } from 'node:path'
import { TestChoice } from './choose-tests.ts'
import { measure } from './measure.ts'
import type { Mutant } from './mutants.ts'
import type { Room } from './room.ts'
import { writeTree } from './tree.ts'
import { tryMutants } from './try-mutants.ts'
import { WorkerProcess } from './worker-process.ts'

/** Tries the mutants that are new, and those whose tests changed. */
export async function tryRoom(root: string, room: Room, log: (line: string) => void): Promise<void> {
  const { sources, testFiles, instrumented, mutants, results } = room
  const open = mutants.filter(({ key }) => results.filesToTry(key) !== 'none')
  log(`${room.room}: ${mutants.length} mutants, ${open.length} to try`)
  if (open.length === 0) return

  const tree = join(root, `mutation/.cache/tree-${room.room}`)
  await writeTree(root, tree, ['mutation/worker/worker.ts', ...sources, ...testFiles], instrumented)
  const worker = new WorkerProcess(tree, sources)
  try {
    const measured = await measure(tree, testFiles, worker)
    const { tests, leftOut } = measured
    const ms = tests.reduce((sum, test) => sum + test.ms, 0)
    for (const { file, test, reason } of leftOut) log(`left out: ${file} > ${test}: ${reason}`)
    log(`${tests.length} tests take ${Math.ceil(ms / 1000)} s; left out: ${leftOut.length}`)
    const choice = new TestChoice(measured, room.all, room.budget)
    // A survivor is tried again last, and before it what needs a process of its own.
    const cost = (mutant: Mutant) => (results.get(mutant.key) ? 2 : 0) + (choice.isAtLoad(mutant) ? 1 : 0)
    const ordered = open.toSorted((a, b) => cost(a) - cost(b))
    await tryMutants(ordered, choice, worker, results, log)
  } finally {
    worker.end()
    results.save()
  }
}
