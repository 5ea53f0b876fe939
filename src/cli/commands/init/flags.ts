import { flag, isOn } from '../../arguments/flag.ts'

export const usualDirectory = 'pet-mock'

export const initFlags = {
  force: flag<boolean>({
    value: '',
    group: 'How:',
    about: 'replace existing files',
    fallback: false,
    read: isOn,
  }),
}
