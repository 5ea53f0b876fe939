import { command } from '../../arguments/command.ts'
import { initFlags, usualDirectory } from './flags.ts'

export const init = command({
  name: 'init',
  words: '[DIR]',
  about: 'Writes a first scenario, fixtures and the project file.',
  flags: initFlags,
  examples: [
    ['$0 init', `into ${usualDirectory}/`],
    ['$0 init test/api', 'into another directory'],
  ],
  notes: [
    'It replaces existing files only with --force. Without it, an existing pet-mock.yaml stays as it is.',
  ],
  load: () => import('./run.ts'),
})
