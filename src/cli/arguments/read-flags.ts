import { didYouMean } from '../../base/text/did-you-mean.ts'
import type { Environment } from '../terminal/io.ts'
import type { Flag, Flags, ValuesOf } from './flag.ts'

/** The texts of each flag on the command line, in their order. Empty: a flag without a value. */
export type FlagTexts = ReadonlyMap<string, readonly string[]>

export interface FlagValues<Values> {
  /** Complete even with complaints: a flag that could not be read has its fallback. */
  readonly values: Values
  /** Where each value came from: `--port` or `PET_MOCK_PORT`. */
  readonly sources: Readonly<Record<keyof Values, string>>
  /** Flags on the command line. */
  readonly typed: ReadonlySet<string>
  /** Flags on the command line or in the environment. */
  readonly given: ReadonlySet<string>
  readonly complaints: readonly string[]
}

/** Reads every flag from the command line, else from its environment variable, else from its fallback. */
export function readFlags<F extends Flags>(
  flags: F,
  given: FlagTexts,
  env: Environment,
): FlagValues<ValuesOf<F>> {
  const complaints = [...given.keys()]
    .filter(name => !Object.hasOwn(flags, name))
    .map(name => unknownFlag(name, flags))
  const values: Record<string, unknown> = {}
  const sources: Record<string, string> = {}
  const givenNames = new Set<string>()
  for (const [name, flag] of Object.entries(flags)) {
    const { source, texts } = origin(name, flag, given, env)
    const reading = readOne(flag, texts)
    values[name] = reading.value
    sources[name] = source
    if (texts.length > 0) givenNames.add(name)
    complaints.push(...reading.problems.map(problem => `${source}${problem}`))
  }
  // The loop wrote one entry for each flag.
  return {
    values: values as ValuesOf<F>,
    sources: sources as Record<keyof F, string>,
    typed: new Set(given.keys()),
    given: givenNames,
    complaints,
  }
}

function origin(name: string, { variable }: Flag<unknown>, given: FlagTexts, env: Environment) {
  const texts = given.get(name) ?? []
  const inherited = variable === undefined ? '' : (env[variable]?.trim() ?? '')
  // In a shell, `PET_MOCK_PORT= pet-mock` means that the variable is not set.
  if (variable === undefined || texts.length > 0 || inherited === '') return { source: `--${name}`, texts }
  return { source: variable, texts: [inherited] }
}

function readOne(
  flag: Flag<unknown>,
  texts: readonly string[],
): { value: unknown; problems: readonly string[] } {
  if (texts.length === 0) return { value: flag.fallback, problems: [] }
  if (flag.value !== '' && texts.some(text => text.trim() === '')) {
    return { value: flag.fallback, problems: [` needs a value: ${flag.value}`] }
  }
  if (flag.isSecret && texts.length > 1) {
    return { value: flag.fallback, problems: [`: expected one value, found ${texts.length}`] }
  }
  const reading = flag.read(texts)
  if (reading.ok) return { value: reading.value, problems: [] }
  return { value: flag.fallback, problems: reading.problems.map(problem => `: ${problem}`) }
}

function unknownFlag(name: string, flags: Flags): string {
  const typed = name.startsWith('-') ? name : withDashes(name)
  const known = [...Object.keys(flags), 'help', 'version'].map(withDashes)
  const meant = didYouMean(typed.replace(/^-*/, '--'), known)
  return `${typed} is not a flag of this command${meant === undefined ? '; see --help' : `; did you mean ${meant}?`}`
}

function withDashes(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`
}
