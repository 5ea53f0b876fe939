import { fileURLToPath } from 'node:url'

/** The clients of this folder, by the library that sends their calls. `programs/work.js` has the work of all of them. */
export const programs = ['ky', 'got', 'bare-fetch', 'axios-retry', 'milliseconds'] as const

export type Program = (typeof programs)[number]

/** The words of the command that runs a program. */
export function wordsOf(program: Program): readonly [string, string] {
  return [process.execPath, fileURLToPath(new URL(`programs/with-${program}.js`, import.meta.url))]
}
