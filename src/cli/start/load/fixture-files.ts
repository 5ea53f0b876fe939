import { isAbsolute, join } from 'node:path'
import { formatComplaint } from '../../../control/files/complaint.ts'
import { NotText } from '../../../control/files/decode.ts'
import { type Fixtures, shippedFixtures } from '../../../control/fixtures/fixtures.ts'
import { readFixtures } from '../../../control/fixtures/read.ts'
import { explainFileError } from '../../../doors/disk/read-text.ts'
import type { Loading } from './load-scenario.ts'
import type { UserFiles } from './user-files.ts'

/** The fixtures of a directory of the user's; `source` is the flag that named it. */
export async function readFixtureFiles(
  directory: string,
  source: string,
  files: UserFiles,
): Promise<Loading<Fixtures>> {
  let names: readonly string[]
  try {
    names = await files.listFiles(directory)
  } catch (error) {
    return { ok: false, complaints: [`${source}: ${explainDirectoryError(directory, error)}`] }
  }
  const texts = new Map<string, string>()
  const unread: string[] = []
  // A README or a picture may lie beside them, of any size.
  for (const name of names.filter(name => /\.(?:ya?ml|json)$/i.test(name))) {
    const file = join(directory, name)
    try {
      texts.set(name, await files.readText(file))
    } catch (error) {
      if (error instanceof NotText)
        unread.push(formatComplaint({ file, ...error.place, message: error.message }))
      else unread.push(`${source}: ${file} cannot be read (${explainFileError(error)})`)
    }
  }
  // With none left to read, that there are none would be told.
  const reading =
    unread.length > 0 && texts.size === 0 ? undefined : await readFixtures(directory, texts, shippedFixtures)
  const complaints = [...unread, ...(reading?.ok === false ? reading.complaints.map(formatComplaint) : [])]
  return reading?.ok === true && complaints.length === 0 ? reading : { ok: false, complaints }
}

function explainDirectoryError(directory: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOTDIR') {
    return `${directory} is a file: give the directory in which pets.yaml, keys.yaml, categories.yaml and orders.yaml are`
  }
  if (code !== 'ENOENT') return `${directory} cannot be read (${explainFileError(error)})`
  return `there is no directory ${isAbsolute(directory) ? directory : `${directory} in ${process.cwd()}`}`
}
