import { type Command, type CommandGroup, command } from '../arguments/command.ts'
import { type Shell, shells } from './shells.ts'

/** How a shell loads the script at every start. */
const installs: Readonly<Record<Shell, string>> = {
  bash: `echo 'source <(pet-mock completion bash)' >> ~/.bashrc`,
  zsh: `echo 'source <(pet-mock completion zsh)' >> ~/.zshrc`,
  fish: 'pet-mock completion fish > ~/.config/fish/completions/pet-mock.fish',
}

/** `commands`: all commands, which the scripts complete. */
export function completionOf(commands: () => readonly (Command | CommandGroup)[]): CommandGroup {
  return {
    name: 'completion',
    about: 'Prints a script that completes commands in bash, zsh or fish.',
    commands: [
      ...shells.map(shell =>
        command({
          name: shell,
          about: `Prints the script for ${shell}.`,
          flags: {},
          notes: [
            `To install it: ${installs[shell]}`,
            ...(shell === 'zsh' ? ['In ~/.zshrc, it must come after compinit.'] : []),
          ],
          load: async () => {
            const { printScript } = await import('./print-script.ts')
            return { run: invocation => printScript(invocation, shell) }
          },
        }),
      ),
      command({
        name: 'suggest',
        words: 'WORD…',
        runsAnother: true,
        about: 'Prints the words that fit at the end of a command line. The scripts use it.',
        flags: {},
        load: async () => {
          const { printSuggestions } = await import('./print-suggestions.ts')
          return { run: invocation => printSuggestions(invocation, commands()) }
        },
      }),
    ],
  }
}
