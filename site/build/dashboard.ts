import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Copies the page of the dashboard and its parts, which the package has compressed, and lists the parts. */
export function copyDashboard(from: string, to: string): void {
  mkdirSync(join(to, 'assets'), { recursive: true })
  const parts = readdirSync(join(from, 'assets'))
    .filter(name => !name.startsWith('panel-'))
    .map(name => `assets/${name}`)
  for (const name of ['index.html', ...parts]) {
    const bytes = readFileSync(join(from, name))
    writeFileSync(join(to, name.replace(/\.gz$/, '')), name.endsWith('.gz') ? gunzipSync(bytes) : bytes)
  }
  const listed = parts.map(name => name.replace(/\.gz$/, '')).filter(name => /\.(?:js|css)$/.test(name))
  writeFileSync(join(to, 'parts.json'), JSON.stringify(listed))
}
