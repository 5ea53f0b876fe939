/* `node first-mock.js ROOT`: prints the milliseconds of the first `createPetMock()` of a process, after the import. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [, , root = '.'] = process.argv
const library = pathToFileURL(join(root, 'dist/library.js')).href
const { createPetMock }: typeof import('../../src/library/testing/entry.ts') = await import(library)
const from = performance.now()
createPetMock()
process.stdout.write(String(performance.now() - from))
