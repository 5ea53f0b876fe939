import { isIP } from 'node:net'
import { shippedScenarios } from '../../control/scenario/shipped.ts'
import type { Environment } from '../terminal/io.ts'

/* What does the same here as commands and flags of other mock servers; docs/coming-from.md has more. */

const words: Readonly<Record<string, string>> = {
  mock: 'pet-mock, or with the operations of your file: pet-mock --openapi openapi.yaml',
  start: 'pet-mock',
  run: 'pet-mock',
  version: 'pet-mock --version',
  up: 'pet-mock',
  dev: 'pet-mock --watch',
  list: 'pet-mock scenarios list',
  validate: 'pet-mock scenarios validate scenario.yaml',
  scenario: 'pet-mock scenarios use NAME',
  state: 'pet-mock snapshot save',
  search: 'pet-mock rehearse --search',
  replay: 'pet-mock compare-plans FILE',
  record: 'pet-mock proxy http://127.0.0.1:8080/v1 --record walkthrough.yaml',
  shutdown: 'pet-mock stop',
}

const synonyms: readonly (readonly string[])[] = [
  ['delete', 'remove', 'drop', 'rm', 'close'],
  ['change', 'edit', 'update', 'turn'],
  ['add', 'create', 'new'],
  ['list', 'ls', 'show', 'get'],
  ['validate', 'check', 'lint'],
  ['use', 'set', 'switch'],
]

export function areAlike(one: string, other: string): boolean {
  return synonyms.some(words => words.includes(one) && words.includes(other))
}

/** What their flags are here. */
export const otherFlags: ReadonlyMap<string, string> = new Map(
  Object.entries({
    delay: 'a rule with a delay, or pet-mock -s slow',
    latency: 'a rule with a delay, or pet-mock -s slow',
    errors: '--contract',
    conduct: '--fail-on never',
    rules: 'pet-mock rules add FILE, or a scenario with rules',
    url: 'a command such as pet-mock requests, or pet-mock --port for a server',
    config: 'the file pet-mock.yaml, which needs no flag',
    data: '--fixtures DIR, or --scenario FILE',
    db: '--fixtures DIR',
    spec: '--openapi FILE',
    routes: '--openapi FILE',
    snapshots: '--state FILE',
    https: '--tls',
    'https-port': '--tls and --port',
    quiet: '--log-format silent',
    q: '--log-format silent',
    silent: '--log-format silent',
    open: 'the key o, which opens the dashboard',
    verbose: 'pet-mock requests explain, which has the reason of an answer',
    record: 'pet-mock proxy http://127.0.0.1:8080/v1 --record walkthrough.yaml',
    'record-mappings': 'pet-mock proxy http://127.0.0.1:8080/v1 --record walkthrough.yaml',
    'proxy-all': 'pet-mock proxy http://127.0.0.1:8080/v1',
  }),
)

export function isOtherWord(word = ''): boolean {
  return Object.hasOwn(words, word)
}

/** A hint for a word of another tool, or for a file, which needs a flag here. */
export function explainOtherWord(word: string): string | undefined {
  if (/\.(?:ya?ml|json)$/i.test(word))
    return 'put --scenario before a scenario, --openapi before an OpenAPI file, and --fixtures before a directory of data'
  return isOtherWord(word) ? `did you mean ${words[word]}?` : undefined
}

/** The value of `-h`, which is the host in Prism and json-server, and help here: `-h 0.0.0.0`. */
export function hostAfterHelp(args: readonly string[]): string | undefined {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const before = args.slice(0, end)
  const at = before.findIndex(arg => /^-h(?:$|[=\d:[])/.test(arg))
  if (at === -1) return undefined
  const given = before[at]?.slice('-h'.length).replace(/^=/, '') || before[at + 1] || ''
  const text = given.replace(/^\[(.*)\]$/, '$1')
  const isName = /^[\w-]+(?:\.[\w-]+)+$/.test(text) && !/\.(?:ya?ml|json)$/i.test(text)
  return text === 'localhost' || isIP(text) !== 0 || isName ? text : undefined
}

/** Flags of other commands and of earlier versions, and what is near to them here. */
export const nearFlags: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    key: ['add-key'],
    scenario: ['rules', 'add'],
    budget: ['max-runs'],
    for: ['max-time'],
    'max-wait': ['max-time'],
  }),
)

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
