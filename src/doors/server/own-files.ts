import { closeSync, openSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** An import that would fail now. The message says why, and what to do. */
export class NotLoadable extends Error {
  constructor(message: string) {
    super(message)
    // No defect of pet-mock: its stack would help nobody.
    this.stack = message
  }
}

/** No part of pet-mock has more files. */
const mostFiles = 40

/**
 * Remembers the names of pet-mock's files, which depend on their content. Call the returned function before an import: it
 * throws NotLoadable if files are gone or no descriptors are free. Node keeps a failed import for good.
 */
export function rememberOwnFiles(): () => void {
  const file = import.meta.filename
  const directory = dirname(file)
  const names = readdirSync(directory)
  return () => {
    openAtOnce(file, directory)
    const present = new Set(readdirSync(directory))
    if (!names.every(name => present.has(name))) throw changed(directory)
  }
}

/** Opens as many files at once as an import may, and closes them. */
function openAtOnce(file: string, directory: string): void {
  const opened: number[] = []
  try {
    while (opened.length < mostFiles) opened.push(openSync(file, 'r'))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? `${error.code}` : ''
    if (code === 'ENOENT' || code === 'ENOTDIR') throw changed(directory)
    const advice = 'Close connections, or raise the limit of open files (ulimit -n).'
    if (code === 'EMFILE' || code === 'ENFILE')
      throw new NotLoadable(`There are too many open files to load a part of pet-mock. ${advice}`)
    throw error
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}

function changed(directory: string): NotLoadable {
  return new NotLoadable(`The files of pet-mock in ${directory} changed while it ran. Restart it.`)
}
