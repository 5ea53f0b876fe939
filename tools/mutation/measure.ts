import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readStored } from './results.ts'
import type { Coverage, Measured } from './worker/messages.ts'
import type { WorkerProcess } from './worker-process.ts'

interface Stored extends Hashes {
  readonly measured: Measured
}

interface Hashes {
  /** Of all code but the test files. */
  readonly code: string
  readonly files: Readonly<Record<string, string>>
}

/** Which tests run which mutants. A test file is measured again only if it or other code changed: all take minutes. */
export async function measure(
  tree: string,
  testFiles: readonly string[],
  worker: WorkerProcess,
): Promise<Measured> {
  const path = `${tree}.json`
  const now = hash(tree, testFiles)
  const stored = readStored<Stored>(path)
  const before = stored?.code === now.code ? stored : undefined
  const changed = testFiles.filter(file => now.files[file] !== before?.files[file])
  const known = before && only(before.measured, new Set(testFiles.filter(file => !changed.includes(file))))
  if (known !== undefined && changed.length === 0) return known
  const measured = await worker.measure(changed)
  if (measured === undefined) throw new Error('the tests did not end')
  const all = known === undefined ? measured : both(known, measured)
  writeFileSync(path, JSON.stringify({ ...now, measured: all } satisfies Stored))
  return all
}

function both(one: Measured, other: Measured): Measured {
  return {
    ...one,
    tests: [...one.tests, ...other.tests],
    leftOut: [...one.leftOut, ...other.leftOut],
    coverage: { ...one.coverage, ...other.coverage },
  }
}

function only(measured: Measured, files: ReadonlySet<string>): Measured {
  const tests = measured.tests.filter(({ file }) => files.has(file))
  const scopes = [...files, ...tests.map(({ id }) => id)]
  const coverage: Record<string, Coverage[string]> = {}
  for (const scope of scopes) {
    const hits = measured.coverage[scope]
    if (hits !== undefined) coverage[scope] = hits
  }
  return { ...measured, tests, leftOut: measured.leftOut.filter(({ file }) => files.has(file)), coverage }
}

function hash(tree: string, testFiles: readonly string[]): Hashes {
  const hashOf = (path: string) =>
    createHash('sha1')
      .update(readFileSync(join(tree, path)))
      .digest('hex')
  const bundled = (file: string) => file.replace(/\.ts$/, '.js')
  const tests = new Set(testFiles.map(bundled))
  const code = createHash('sha1')
  for (const folder of ['tools/mutation/worker', 'src', 'test']) {
    const paths = readdirSync(join(tree, folder), { recursive: true, encoding: 'utf8' })
    for (const path of paths.map(name => `${folder}/${name}`).sort()) {
      if (path.endsWith('.js') && !tests.has(path)) code.update(path).update(hashOf(path))
    }
  }
  return {
    code: code.digest('hex'),
    files: Object.fromEntries(testFiles.map(file => [file, hashOf(bundled(file))])),
  }
}
