import { parseArgs } from 'node:util'

interface Flag<T> {
  /** What stands for the value in the help. Empty for a flag without one. */
  readonly value: string
  readonly about: string
  readonly takes: string
  readonly usual: T
  /** The value of all texts that were given. Undefined if one of them is wrong. */
  readonly read: (texts: readonly string[]) => T | undefined
}

interface Tool<Flags> {
  readonly name: string
  readonly about: string
  /** What its words name, such as measurements, and all that there are. */
  readonly words?: { readonly noun: string; readonly all: readonly Named[] }
  readonly flags: Flags
}

interface Named {
  readonly name: string
  readonly about: string
}

type AnyFlags = Readonly<Record<string, Flag<unknown>>>
export type Values<Flags> = { readonly [Name in keyof Flags]: Flags[Name] extends Flag<infer T> ? T : never }

/** The message is for the person who called the tool. */
export class WrongUse extends Error {}

/** Runs a tool with the flags and words of the command line. Help ends with 0, wrong use with 2. */
export async function runTool<const Flags extends AnyFlags>(
  tool: Tool<Flags>,
  run: (values: Values<Flags>, words: readonly string[]) => Promise<void>,
): Promise<void> {
  try {
    const { values, words, isHelp } = readCommandLine(tool, process.argv.slice(2))
    if (isHelp) process.stdout.write(`${helpOf(tool)}\n`)
    else await run(values, words)
  } catch (error) {
    if (!(error instanceof WrongUse)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 2
  }
}

/** Throws WrongUse for flags and words that the tool does not have, and for wrong values. */
export function readCommandLine<const Flags extends AnyFlags>(tool: Tool<Flags>, args: readonly string[]) {
  const { values: given, positionals: words } = parse(tool, args)
  const flags: AnyFlags = tool.flags
  const values = Object.entries(flags).map(([name, { value, takes, usual, read }]) => {
    const texts = given[name]
    if (value === '') return [name, texts === true]
    if (!Array.isArray(texts)) return [name, usual]
    const found = read(texts.map(String))
    if (found === undefined) throw new WrongUse(`--${name} takes ${takes}`)
    return [name, found]
  })
  const unknown = words.filter(word => !tool.words?.all.some(({ name }) => name === word))
  if (unknown.length > 0)
    throw new WrongUse(`there is no ${tool.words?.noun} ${unknown.join(', ')}\n\n${helpOf(tool)}`)
  return { values: Object.fromEntries(values) as Values<Flags>, words, isHelp: given.help === true }
}

function parse({ name, words, flags }: Tool<AnyFlags>, args: readonly string[]) {
  const options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean }> = {
    help: { type: 'boolean' },
  }
  for (const [flag, { value }] of Object.entries(flags))
    options[flag] = value === '' ? { type: 'boolean' } : { type: 'string', multiple: true }
  try {
    return parseArgs({ args: [...args], allowPositionals: words !== undefined, options })
  } catch (error) {
    // Without Node's advice on `--`.
    const problem = String(error instanceof Error ? error.message : error)
      .replace(/ argument is ambiguous[\s\S]*/, ' takes a value, and that begins with no dash')
      .replace(/\.? (?:To specify a positional|This command does not)[\s\S]*/, '')
    throw new WrongUse(`${problem}. The flags: npm run ${name} -- --help`)
  }
}

function helpOf({ name, about, words, flags }: Tool<AnyFlags>): string {
  const rows = Object.entries(flags).map(([flag, { value, about, usual }]) => {
    const shown = typeof usual === 'number' || typeof usual === 'string' ? ` [${usual}]` : ''
    return { name: `--${flag} ${value}`.trim(), about: about + shown }
  })
  const usage = rows.map(row => ` [${row.name}]`).join('')
  const sections = [words?.all ?? [], rows].filter(({ length }) => length > 0)
  const noun = words === undefined ? '' : ` [${words.noun.toUpperCase()}...]`
  return [`npm run ${name} --${noun}${usage}`, about, ...sections.map(listOf)].join('\n\n')
}

function listOf(rows: readonly Named[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length))
  return rows.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`).join('\n')
}

/** A kind of flag with one value. If it is given several times, the last one counts. */
function kind<T>(value: string, takes: string, read: (text: string) => T | undefined) {
  return <const U>(about: string, usual: U): Flag<T | U> => ({
    ...{ value, about, takes, usual },
    read: texts => read(texts.at(-1) ?? ''),
  })
}

export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`
  return kind('N', `a whole number ${range}`, text => {
    const number = Number(text)
    return Number.isInteger(number) && number >= least && number <= most ? number : undefined
  })
}

export const seed = kind('N', 'a whole number', text =>
  Number.isSafeInteger(Number(text)) ? Number(text) : undefined,
)
export const above0 = kind('N', 'a number above 0', text => (Number(text) > 0 ? Number(text) : undefined))
export const matching = (value: string, takes: string, pattern: RegExp) =>
  kind(value, takes, text => (pattern.test(text) ? text : undefined))
export const oneOf = <const Word extends string>(value: string, words: readonly Word[]) =>
  kind(value, words.join(' or '), text => words.find(word => word === text))
export const readBy = kind

export function several(value: string, about: string, words?: readonly string[]): Flag<readonly string[]> {
  const isKnown = (text: string) => words?.includes(text) !== false
  const takes = words?.join(' or ') ?? 'a text'
  return { ...{ value, about, takes, usual: [] }, read: texts => (texts.every(isKnown) ? texts : undefined) }
}

export function yes(about: string): Flag<boolean> {
  return { ...{ value: '', about, takes: '', usual: false }, read: () => true }
}
