import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for the files of a run. It goes when this process ends, also by a signal. */
export function temporaryFolder(tool: string): string {
  const folder = mkdtempSync(join(tmpdir(), `pet-mock-${tool}-`))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  return folder
}
