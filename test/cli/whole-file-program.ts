import { stdout } from 'node:process'
import { writeWholeFile } from '../../src/cli/whole-file.ts'

/** Writes a file a thousand times, in pieces, and tells when it begins; somebody kills it meanwhile. */
const [, , path = ''] = process.argv
const filler = Array.from({ length: 40 }, () => `,"${'x'.repeat(9_000)}"`)
for (let count = 1; count <= 1_000; count += 1) {
  await writeWholeFile(path, `${path}.tmp`, () => [`[${count}`, ...filler, ']'])
  if (count === 1) stdout.write('begun\n')
}
