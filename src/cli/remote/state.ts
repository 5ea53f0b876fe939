import { groupDigits } from '../../base/text/quantities.ts'
import type { CommandGroup } from '../arguments/command.ts'
import { printable } from '../terminal/printable.ts'
import { serverCommand } from './server-command.ts'

export const state: CommandGroup = {
  name: 'state',
  about: 'Saves the file of --state now.',
  commands: [
    serverCommand({
      name: 'save',
      about: 'Saves the file of --state. Returns when the effects of all earlier calls are on disk.',
      flags: {},
      act: async ({ ask, print, paint }) => {
        const saved = await ask<{ readonly file: string; readonly bytes: number }>('POST', '/state/save')
        print(saved, ({ file, bytes }) => [
          `${paint('green', 'saved')} ${printable(file)}  ${paint('dim', `${groupDigits(bytes)} bytes`)}`,
        ])
      },
    }),
  ],
}
