import { command } from '../../arguments/command.ts'
import { initFlags, usualDirectory } from './flags.ts'

export const init = command({
  name: 'init',
  words: '[DIR]',
  about: 'Writes a scenario and fixtures for you to change.',
  flags: initFlags,
  examples: [
    ['$0 init', `into ${usualDirectory}/`],
    ['$0 init test/api', 'into another directory'],
  ],
  notes: ['It replaces existing files only with --force.'],
  load: () => import('./run.ts'),
})
