import { fileURLToPath } from 'node:url'

/** The clients of this folder, by what they send their calls with. `programs/work.js` has what all of them do. */
export const programs = ['ky', 'got', 'bare-fetch', 'axios-retry', 'milliseconds'] as const

export type Program = (typeof programs)[number]

/** The words of the command that runs a program. */
export function wordsOf(program: Program): readonly [string, string] {
  return [process.execPath, fileURLToPath(new URL(`programs/with-${program}.js`, import.meta.url))]
}
