import { flagGroup } from '../../arguments/flag.ts'

export const usualDirectory = 'pet-mock'

export const initFlags = {
  force: flagGroup('Options:').toggle({ about: 'replace existing files' }),
}
