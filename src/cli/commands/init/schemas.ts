import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readText } from '../../../doors/disk/read-text.ts'

/** The path of a schema for editors, from `directory`: in node_modules, else its copy in `copies`. */
export function schemaPath(file: string, directory: string, copies: string): string {
  const installed = resolve('node_modules/pet-mock/schemas', file)
  const target = existsSync(installed) ? installed : resolve(copies, file)
  const path = relative(resolve(directory), target).replaceAll('\\', '/')
  return path.startsWith('..') ? path : `./${path}`
}

/** A copy of a schema if none is installed. Its path, and its text from the nearest directory above that has it. */
export async function schemaCopy(
  file: string,
  copies: string,
): Promise<readonly (readonly [string, string])[]> {
  if (existsSync(resolve('node_modules/pet-mock/schemas', file))) return []
  for (let at = new URL('.', import.meta.url); ; at = new URL('..', at)) {
    const source = new URL(`schemas/${file}`, at)
    if (existsSync(source)) return [[join(copies, file), await readText(fileURLToPath(source))]]
    if (at.pathname === '/')
      throw new Error(`this installation of pet-mock is incomplete: it has no schemas/${file}`)
  }
}
