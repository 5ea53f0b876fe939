import { shippedScenarios } from '../../control/scenario/shipped.ts'
import type { Environment } from '../terminal/io.ts'

/** npm reads flags before `--` itself. */
function afterDashes(flag: string, value: string): string {
  return `With npm, put flags after --: npm start -- --${flag} ${value}`
}

/** A hint for a word that names a scenario: npm passes on only this word of `npm start --scenario ban`. */
export function explainScenarioWord(word: string): string | undefined {
  return shippedScenarios.has(word)
    ? `did you mean --scenario ${word}? ${afterDashes('scenario', word)}`
    : undefined
}

/** For a value that npm left as a word: its variable is then `true`. */
const placeholders = { scenario: 'NAME|FILE', port: 'PORT' }

/** Complaints about flags that npm took. It puts them into variables: `npm_config_scenario=ban`. */
export function flagsTakenByNpm(env: Environment, typed: ReadonlySet<string>): readonly string[] {
  return Object.entries(placeholders).flatMap(([flag, placeholder]) => {
    const value = env[`npm_config_${flag}`] ?? ''
    if (value === '' || typed.has(flag)) return []
    return [`npm took --${flag} for itself. ${afterDashes(flag, value === 'true' ? placeholder : value)}`]
  })
}
