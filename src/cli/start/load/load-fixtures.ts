import { isAbsolute, join } from 'node:path'
import { formatComplaint } from '../../../control/files/complaint.ts'
import { NotText } from '../../../control/files/decode.ts'
import { type Fixtures, shippedFixtures } from '../../../control/fixtures/fixtures.ts'
import { codeOf, explainFileError } from '../../../library/files/read-file.ts'
import { failed, type Loading, type UserFiles, userFiles } from './loading.ts'

/** The fixtures of a directory, without one the shipped ones. `source` is the flag that names the directory. */
export async function loadFixtures(
  directory: string | undefined,
  source: string,
  files: UserFiles = userFiles,
): Promise<Loading<Fixtures>> {
  if (directory === undefined) return { ok: true, value: shippedFixtures }
  let names: readonly string[]
  try {
    names = await files.listFiles(directory)
  } catch (error) {
    return failed(`${source}: ${explainDirectoryError(directory, error)}`)
  }
  const { fixtureOf, readFixtures } = await import('../../../control/fixtures/read.ts')
  const texts = new Map<string, string | undefined>()
  const unread: string[] = []
  // Other files, such as a README or a picture, may be of any size.
  for (const name of names.filter(name => /\.(?:ya?ml|json)$/i.test(name))) {
    const file = join(directory, name)
    try {
      texts.set(name, fixtureOf(name) && (await files.readText(file)))
    } catch (error) {
      unread.push(
        error instanceof NotText
          ? formatComplaint({ file, ...error.place, message: error.message })
          : `${source}: ${file} cannot be read (${explainFileError(error)})`,
      )
    }
  }
  // If no file could be read, do not also report "no files".
  if (unread.length > 0 && texts.size === 0) return failed(...unread)
  const reading = await readFixtures(directory, texts, shippedFixtures)
  if (reading.ok) return unread.length === 0 ? reading : failed(...unread)
  return failed(...unread, ...reading.complaints.map(formatComplaint))
}

function explainDirectoryError(directory: string, error: unknown): string {
  const code = codeOf(error)
  if (code === 'ENOTDIR') {
    return `${directory} is a file; name the directory of pets.yaml, keys.yaml, categories.yaml and orders.yaml`
  }
  if (code !== 'ENOENT') return `${directory} cannot be read (${explainFileError(error)})`
  return `there is no directory ${isAbsolute(directory) ? directory : `${directory} in ${process.cwd()}`}`
}
