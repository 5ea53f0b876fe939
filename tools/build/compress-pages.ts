/* Compresses each text of the built dashboard, so that no request waits for gzip. Run by `npm run build`. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const folder = fileURLToPath(new URL('../../dist/dashboard/', import.meta.url))

/** Bytes. Smaller files fit into one packet anyway. */
const least = 1_000

for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(?:html|js|css|svg)$/.test(name)) continue
  const path = join(folder, name)
  const bytes = readFileSync(path)
  if (bytes.length < least) continue
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  rmSync(path)
}
