import { nameMeant } from '../../base/text/did-you-mean.ts'
import type { Environment } from '../terminal/io.ts'
import type { Flag, Flags, FlagTexts, ValuesOf } from './flag.ts'
import { meantByOtherFlag } from './other-tools.ts'

/** The texts of one flag, and where they are: `--port`, `PET_MOCK_PORT` or `pet-mock.yaml:3:1: port`. */
export interface GivenTexts {
  readonly source: string
  readonly texts: readonly string[]
}

/** What the project file pet-mock.yaml says for one command. */
export interface ProjectFlags {
  /** Its path, relative to the working directory. */
  readonly file: string
  readonly texts: ReadonlyMap<string, GivenTexts>
  readonly complaints: readonly string[]
}

export interface FlagValues<Values> {
  /** Complete even with complaints: a flag that could not be read has its fallback. */
  readonly values: Values
  /** Where each value came from: `--port`, `PET_MOCK_PORT` or `pet-mock.yaml:3:1: port`. */
  readonly sources: Readonly<Record<keyof Values, string>>
  /** Flags on the command line. */
  readonly typed: ReadonlySet<string>
  /** Flags on the command line, in the environment or in the project file. */
  readonly given: ReadonlySet<string>
  /** The project file, if there is one, and the flags whose value it gives. */
  readonly project: { readonly file: string; readonly flags: ReadonlySet<string> } | undefined
  readonly complaints: readonly string[]
}

/** Reads every flag from the command line, else from its environment variable, else from the project file, else from its fallback. */
export function readFlags<F extends Flags>(
  flags: F,
  given: FlagTexts,
  env: Environment,
  project?: ProjectFlags,
): FlagValues<ValuesOf<F>> {
  const complaints = [
    ...(project?.complaints ?? []),
    ...[...given.keys()].filter(name => !Object.hasOwn(flags, name)).map(name => unknownFlag(name, flags)),
  ]
  const values: Record<string, unknown> = {}
  const sources: Record<string, string> = {}
  const givenNames = new Set<string>()
  const ofProject = new Set<string>()
  for (const [name, flag] of Object.entries(flags)) {
    const inProject = project?.texts.get(name)
    const { source, texts } = origin(name, flag, given, env, inProject)
    const reading = readTexts(flag, texts)
    values[name] = reading.value
    sources[name] = source
    if (texts.length > 0) givenNames.add(name)
    if (source === inProject?.source) ofProject.add(name)
    complaints.push(...reading.problems.map(problem => `${source}${problem}`))
  }
  // The loop wrote one entry for each flag.
  return {
    values: values as ValuesOf<F>,
    sources: sources as Record<keyof F, string>,
    typed: new Set(given.keys()),
    given: givenNames,
    project: project && { file: project.file, flags: ofProject },
    complaints,
  }
}

/** Reads one flag as `readFlags` does, without the project file. */
export function readFlag(name: string, flag: Flag<unknown>, given: FlagTexts, env: Environment) {
  return readTexts(flag, origin(name, flag, given, env, undefined).texts)
}

function origin(
  name: string,
  { variable }: Flag<unknown>,
  given: FlagTexts,
  env: Environment,
  inProject: GivenTexts | undefined,
): GivenTexts {
  const texts = given.get(name) ?? []
  const inherited = variable === undefined ? '' : (env[variable]?.trim() ?? '')
  // In a shell, `PET_MOCK_PORT= pet-mock` means that the variable is not set.
  if (variable !== undefined && texts.length === 0 && inherited !== '')
    return { source: variable, texts: [inherited] }
  return texts.length === 0 && inProject !== undefined ? inProject : { source: `--${name}`, texts }
}

/** The value of a flag, and the problems, which the name of the flag precedes. */
export function readTexts(
  flag: Flag<unknown>,
  texts: readonly string[],
): { readonly value: unknown; readonly problems: readonly string[] } {
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
  // Other tools serve, so their flags are about a server.
  const meant =
    (Object.hasOwn(flags, 'fixtures') ? meantByOtherFlag(name) : undefined) ??
    nameMeant(typed.replace(/^-*/, '--'), known)
  return `${typed} is not a flag of this command${meant === undefined ? '; see --help' : `; did you mean ${meant}?`}`
}

function withDashes(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`
}
