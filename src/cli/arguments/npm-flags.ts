import { shippedScenarios } from '../../control/scenario/shipped.ts'
import type { Environment } from '../terminal/io.ts'

/** npm takes flags before `--` for its own. */
function afterDashes(flag: string, value: string): string {
  return `With npm, flags go after --: npm start -- --${flag} ${value}`
}

/** What is meant by a word that is no command and names a scenario: npm leaves that of `npm start --scenario ban`. */
export function explainScenarioWord(word: string): string | undefined {
  return shippedScenarios.has(word)
    ? `did you mean --scenario ${word}? ${afterDashes('scenario', word)}`
    : undefined
}

/** What stands for a value that npm has left as a word: it then says `true` of the flag. */
const placeholders = { scenario: 'NAME|FILE', port: 'PORT' }

/** Complaints about flags that npm took, which it tells by variables: `npm_config_scenario=ban`. */
export function flagsTakenByNpm(env: Environment, typed: ReadonlySet<string>): readonly string[] {
  return Object.entries(placeholders).flatMap(([flag, placeholder]) => {
    const value = env[`npm_config_${flag}`] ?? ''
    if (value === '' || typed.has(flag)) return []
    return [`npm took --${flag} for itself. ${afterDashes(flag, value === 'true' ? placeholder : value)}`]
  })
}
