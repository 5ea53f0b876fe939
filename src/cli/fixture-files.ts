import { join } from 'node:path'
import { formatComplaint } from '../files/complaint.ts'
import { type Fixtures, shippedFixtures } from '../fixtures/fixtures.ts'
import { readFixtures } from '../fixtures/read.ts'
import type { Loading } from './load-scenario.ts'
import { explainFileError } from './read-text.ts'
import type { UserFiles } from './user-files.ts'

/** The fixtures of a directory of the user's; `source` is the flag that named it. */
export async function readFixtureFiles(
  directory: string,
  source: string,
  files: UserFiles,
): Promise<Loading<Fixtures>> {
  let texts: ReadonlyMap<string, string>
  try {
    texts = await textsIn(directory, files)
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

async function textsIn(directory: string, files: UserFiles): Promise<ReadonlyMap<string, string>> {
  // A README or a picture may lie beside them, of any size.
  const names = (await files.listFiles(directory)).filter(name => /\.(?:ya?ml|json)$/i.test(name))
  const texts = await Promise.all(names.map(name => files.readText(join(directory, name))))
  return new Map(names.map((name, index) => [name, texts[index] ?? '']))
}
