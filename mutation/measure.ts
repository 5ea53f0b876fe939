import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Measured } from './worker/messages.ts'
import type { WorkerProcess } from './worker-process.ts'

/** Which tests run which mutants. The same code was measured once: that takes minutes. */
export async function measure(
  tree: string,
  testFiles: readonly string[],
  worker: WorkerProcess,
): Promise<Measured> {
  const path = `${tree}.json`
  const code = hashOf(tree)
  const stored = read(path)
  if (stored?.code === code) return stored.measured
  const measured = await worker.measure(testFiles)
  if (measured === undefined) throw new Error('the tests did not end')
  writeFileSync(path, JSON.stringify({ code, measured }))
  return measured
}

function hashOf(tree: string): string {
  const hash = createHash('sha1')
  for (const folder of ['mutation', 'src', 'test']) {
    const files = readdirSync(join(tree, folder), { recursive: true, encoding: 'utf8' })
    for (const file of files.filter(name => name.endsWith('.js')).sort()) {
      hash.update(file).update(readFileSync(join(tree, folder, file)))
    }
  }
  return hash.digest('hex')
}

function read(path: string): { readonly code: string; readonly measured: Measured } | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
