import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { formatComplaint } from '../files/complaint.ts'
import { type Fixtures, shippedFixtures } from '../fixtures/fixtures.ts'
import { readFixtures } from '../fixtures/read.ts'
import type { Loading } from './load-scenario.ts'
import { explainFileError, readText } from './read-text.ts'

/** The fixtures of a directory of the user's; `source` is the flag that named it. */
export async function readFixtureFiles(directory: string, source: string): Promise<Loading<Fixtures>> {
  let texts: ReadonlyMap<string, string>
  try {
    texts = await textsIn(directory)
  } catch (error) {
    return {
      ok: false,
      complaints: [`${source}: ${directory} ${explainDirectoryError(error)}`],
    }
  }
  const reading = await readFixtures(directory, texts, shippedFixtures)
  return reading.ok ? reading : { ok: false, complaints: reading.complaints.map(formatComplaint) }
}

function explainDirectoryError(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') {
    return 'is a file: give the directory in which pets.yaml, keys.yaml, categories.yaml and orders.yaml are'
  }
  return `cannot be read (${explainFileError(error)})`
}

async function textsIn(directory: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(directory, { withFileTypes: true })
  // A README or a picture may lie beside them, of any size.
  const names = entries
    .filter(entry => !entry.isDirectory() && /\.(?:ya?ml|json)$/i.test(entry.name))
    .map(({ name }) => name)
  const texts = await Promise.all(names.map(name => readText(join(directory, name))))
  return new Map(names.map((name, index) => [name, texts[index] ?? '']))
}
