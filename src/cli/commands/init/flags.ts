import { toggle } from '../../arguments/flag.ts'

export const usualDirectory = 'pet-mock'

export const initFlags = {
  force: toggle({
    group: 'Options:',
    about: 'replace existing files',
  }),
}
