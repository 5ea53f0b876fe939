import { readFile } from 'node:fs/promises'

const reasons: Readonly<Partial<Record<string, string>>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
}

/** The text of a user's file. Rejects with the reason in plain words. */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new Error(explainFileError(error))
  }
}

export function explainFileError(error: unknown): string {
  if (!(error instanceof Error)) return `${error}`
  return ('code' in error && reasons[`${error.code}`]) || error.message
}
