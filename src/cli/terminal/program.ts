import { shellWords } from './text.ts'

/** How its user calls pet-mock. An executable has no script: its own name is in that place. Pages have no process, so text.ts is apart. */
export const program = process.argv0 === process.argv[1] ? shellWords([process.argv0]) : 'npx pet-mock'
