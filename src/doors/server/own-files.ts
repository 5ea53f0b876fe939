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

/** The error of an import, or what to do if a file of pet-mock was never installed. */
export function explainImport(error: unknown): unknown {
  const { code, message } = Object(error)
  if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') return error
  const [, name] = /Cannot find (?:module|package) '(?:\.\/)?([^']+)'/.exec(message) ?? []
  return new NotLoadable(`The file ${name} of pet-mock is missing. Install pet-mock again.`)
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
  const names = namesIn(directory)
  // Part of another program's bundle: nothing is imported.
  if (names === undefined) return () => {}
  return () => {
    openAtOnce(file, directory)
    const present = new Set(namesIn(directory))
    if (!names.every(name => present.has(name))) throw changed(directory)
  }
}

function namesIn(directory: string): readonly string[] | undefined {
  try {
    return readdirSync(directory)
  } catch {
    return undefined
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
