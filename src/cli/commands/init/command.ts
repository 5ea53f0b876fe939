import type { Command } from '../../arguments/command.ts'
import { flag, isOn } from '../../arguments/flag.ts'

/** Where it writes, unless it is told. */
export const usualDirectory = 'pet-mock'

export const initFlags = {
  force: flag<boolean>({
    value: '',
    group: 'How:',
    about: 'replace files that are there',
    fallback: false,
    read: isOn,
  }),
}

export const init: Command = {
  name: 'init',
  words: '[DIR]',
  about: 'Writes a scenario and fixtures of your own to start from.',
  flags: initFlags,
  examples: [
    ['$0 init', `into ${usualDirectory}/`],
    ['$0 init test/api', 'into another directory'],
  ],
  notes: ['Nothing that is there is replaced without --force.'],
  run: async (...args) => (await import('./run.ts')).run(...args),
}
