import { writeWholeFile } from '../../../../src/cli/start/state/write-whole-file.ts'

/** Writes a file again and again, in pieces, until somebody kills it. */
const [, , path = ''] = process.argv
const filler = Array.from({ length: 40 }, () => `,"${'x'.repeat(9_000)}"`)
for (let count = 1; ; count += 1) {
  await writeWholeFile(path, `${path}.tmp`, () => [`[${count}`, ...filler, ']'])
}
