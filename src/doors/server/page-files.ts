import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { lazily } from '../../base/lazily.ts'
import type { ReadPageFile } from '../admin/pages/send-file.ts'

/** Reads the files of the built dashboard from the package. */
export function createPageReader(): ReadPageFile {
  const folder = lazily(findFolder)
  return async path => {
    const root = await folder()
    if (root === undefined) return undefined
    const gzipped = await readIfPresent(join(root, `${path}.gz`))
    const bytes = gzipped === undefined ? await readIfPresent(join(root, path)) : gunzipSync(gzipped)
    if (bytes === undefined) return undefined
    const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
    return { bytes, gzipped, tag }
  }
}

/** The dashboard's folder in the package. Undefined if pet-mock is part of another program's bundle. */
async function findFolder(): Promise<string | undefined> {
  for (let at = dirname(fileURLToPath(import.meta.url)); at !== dirname(at); at = dirname(at)) {
    const manifest = await readIfPresent(join(at, 'package.json'))
    // The folder of the CommonJS build has one without a name.
    const name = manifest === undefined ? undefined : JSON.parse(`${manifest}`).name
    if (name !== undefined) return name === 'pet-mock' ? join(at, 'dist/dashboard') : undefined
  }
  return undefined
}

async function readIfPresent(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch {
    return undefined
  }
}
