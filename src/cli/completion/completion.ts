import { type CommandGroup, type Commands, command } from '../arguments/command.ts'
import { exitCodes } from '../terminal/io.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** How a shell loads the script at every start. */
const installs: Readonly<Record<Shell, string>> = {
  bash: `echo 'source <(pet-mock completion bash)' >> ~/.bashrc`,
  zsh: `echo 'source <(pet-mock completion zsh)' >> ~/.zshrc`,
  fish: 'pet-mock completion fish > ~/.config/fish/completions/pet-mock.fish',
}

/** `commands`: all commands, which the scripts complete. */
export function completionOf(commands: () => Commands): CommandGroup {
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
          check: () => [],
          load: async () => ({
            run: async ({ io }) => {
              io.stdout.write(scripts[shell])
              return exitCodes.fine
            },
          }),
        }),
      ),
      command({
        name: 'suggest',
        words: 'WORD…',
        runsAnother: true,
        about: 'Prints the words that fit at the end of a command line. The scripts use it.',
        flags: {},
        load: async () => {
          const { printSuggestions } = await import('./suggest.ts')
          return { run: invocation => printSuggestions(invocation, commands()) }
        },
      }),
    ],
  }
}

/* Each script asks pet-mock for the words that fit, so it needs no update when commands change. It runs the pet-mock of PATH. */

const scripts: Readonly<Record<Shell, string>> = {
  bash: `# pet-mock completion for bash
_pet_mock() {
  local line word=\${COMP_WORDS[COMP_CWORD]}
  [[ $word == '=' ]] && word=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) _pet_mock_paths -f ;;
      :directories) _pet_mock_paths -d ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(command pet-mock completion suggest -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
_pet_mock_paths() {
  local path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$word")
}
complete -F _pet_mock pet-mock
`,
  zsh: `#compdef pet-mock
# pet-mock completion for zsh
_pet_mock() {
  local line paths
  local -a described
  while IFS= read -r line; do
    case $line in
      :files) paths=_files ;;
      :directories) paths='_files -/' ;;
      *) described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done < <(command pet-mock completion suggest -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( $#described )) && _describe 'pet-mock' described
  [[ -n $paths ]] && \${(z)paths}
}
if [ "$funcstack[1]" = _pet_mock ]; then _pet_mock "$@"; else compdef _pet_mock pet-mock; fi
`,
  fish: `# pet-mock completion for fish
function __pet_mock_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    test (count $word) -eq 0; and set word ''
    for line in (command pet-mock completion suggest -- $words[2..-1] $word 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path $word
            case ':directories'
                __fish_complete_directories $word
            case '*'
                echo $line
        end
    end
end
complete -c pet-mock -f -a '(__pet_mock_complete)'
`,
}
