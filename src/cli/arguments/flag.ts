import { nameMeant } from '../../base/text/did-you-mean.ts'
import type { Environment } from '../terminal/io.ts'
import { nearFlags, otherFlags } from './other-tools.ts'

export interface Flag<T> {
  readonly alias?: string
  /** The environment variable that it overrides. Default: `PET_MOCK_` and its name in capitals. */
  readonly variable?: string
  /** What its variable has after `PET_MOCK_`, where the name of the flag alone would mean another one. */
  readonly variablePrefix?: string
  /** The placeholder of the value in --help and messages. Empty for a switch, which takes no value. */
  readonly value: string
  readonly group: string
  readonly about: string
  /** The value without the flag and its variable. */
  readonly fallback: T
  /** The default as --help shows it, if the fallback would not be clear. */
  readonly defaultText?: string
  /** The flag without which it would mean nothing. */
  readonly needs?: string | undefined
  /** Complaints do not show its value. */
  readonly isSecret?: true
  /** The only values. */
  readonly words?: readonly string[]
  /** Whether a value is the path of a file or directory. In pet-mock.yaml, such a path is relative to that file. */
  readonly isPath?: (text: string) => boolean
  /** Whether the command writes the file that a value names. */
  readonly writes?: true
  /** The type of its value in pet-mock.yaml, if it is not a text. A list may also be one item. */
  readonly type?: 'number' | 'list'
  /** Why pet-mock.yaml must not have it. */
  readonly notInProject?: string
  /** Reads the texts in their order. None is empty. */
  readonly read: (texts: readonly string[]) => FlagReading<T>
}

/** The texts of each flag on the command line, in their order. Empty: a flag without a value. */
export type FlagTexts = ReadonlyMap<string, readonly string[]>

export type Flags = Readonly<Record<string, Flag<unknown>>>

/** A value, or the problems, which the name of the flag precedes. */
export type FlagReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] }

export type Parse<T> = (text: string) => FlagReading<T>

type Read<T> = Flag<T>['read']

export type ValuesOf<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends Flag<infer T> ? T : never
}

export function right<T>(value: T): FlagReading<T> {
  return { ok: true, value }
}

export function wrong(...problems: readonly string[]): FlagReading<never> {
  return { ok: false, problems }
}

/** Reads a switch: on without a value. Environment variables use many words for on and off. */
function readSwitch(texts: readonly string[]): FlagReading<boolean> {
  const text = texts.at(-1) ?? ''
  if (/^(?:|true|1|yes|on)$/i.test(text)) return right(true)
  return /^(?:false|0|no|off)$/i.test(text)
    ? right(false)
    : wrong(`expected true or false, found ${JSON.stringify(text)}`)
}

/** Takes one value. Repeating the flag is an error. */
export function one<T>(parse: Parse<T>): Read<T> {
  return texts =>
    texts.length > 1
      ? wrong(`expected one value, found ${texts.length} (${texts.join(', ')})`)
      : parse(texts[0] ?? '')
}

export function itemsOf(texts: readonly string[]): readonly string[] {
  const items = texts.flatMap(text => text.split(',')).map(item => item.trim())
  return items.filter(item => item !== '')
}

/** Takes several values: the flag is repeated, or they are separated by commas. */
export function many<T>(parse: Parse<T>): Read<readonly T[]> {
  return texts => {
    const readings = itemsOf(texts).map(parse)
    const problems = readings.flatMap(reading => (reading.ok ? [] : reading.problems))
    return problems.length > 0
      ? wrong(...problems)
      : right(readings.flatMap(reading => (reading.ok ? [reading.value] : [])))
  }
}

/** A flag without a fallback, whose value is made from what `parse` reads. */
type Parsed<Value, T> = Omit<Flag<Value>, 'group' | 'fallback' | 'read'> & { parse: Parse<T> }

/** Declares the flags of one group in --help, such as `Server:`. `needs`: what each of them needs. */
export function flagGroup(group: string, variablePrefix = '', needs?: string) {
  const flag = <T>(entry: Omit<Flag<T>, 'group'>): Flag<T> => ({
    ...entry,
    group,
    variablePrefix,
    needs: entry.needs ?? needs,
  })
  const optional = <T>({ parse, ...entry }: Parsed<T, T>) =>
    flag<T | undefined>({ ...entry, fallback: undefined, read: one(parse) })
  const list = <T>({ parse, ...entry }: Parsed<readonly T[], T>) =>
    flag<readonly T[]>({ ...entry, type: 'list', fallback: [], read: many(parse) })
  type Entry = Pick<Flag<string>, 'alias' | 'variable' | 'value' | 'about' | 'needs' | 'isPath' | 'writes'>
  return {
    flag,
    optional,
    list,
    text: (entry: Entry) => optional({ ...entry, parse: right }),
    texts: (entry: Entry) => list({ ...entry, parse: right<string> }),
    path: (entry: Omit<Entry, 'value'> & Partial<Entry>) =>
      optional({ value: 'FILE', ...entry, isPath: () => true, parse: right }),
    toggle: (entry: Pick<Flag<boolean>, 'alias' | 'variable' | 'about' | 'needs' | 'notInProject'>) =>
      flag<boolean>({ ...entry, value: '', fallback: false, read: readSwitch }),
  }
}

/** The texts of one flag, and where they are: `--port`, `PET_MOCK_PORT` or `pet-mock.yaml:3:1: port`. */
export interface GivenTexts {
  readonly source: string
  readonly texts: readonly string[]
}

export interface ProjectFlags {
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
  /** The same as the words that were typed, without secrets. Reports name them. */
  readonly typedWords: readonly string[]
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
    const variable = variableOf(name, flag)
    // In a shell, `PET_MOCK_PORT= pet-mock` means that the variable is not set.
    const inherited = env[variable]?.trim() || undefined
    const inVariable = inherited === undefined ? undefined : { source: variable, texts: [inherited] }
    const onLine = { source: `--${name}`, texts: given.get(name) ?? [] }
    const { source, texts } = onLine.texts.length > 0 ? onLine : (inVariable ?? inProject ?? onLine)
    const reading = readTexts(flag, texts)
    values[name] = reading.ok ? reading.value : flag.fallback
    sources[name] = source
    if (texts.length > 0) givenNames.add(name)
    if (source === inProject?.source) ofProject.add(name)
    if (!reading.ok) complaints.push(...reading.problems.map(problem => `${source}${problem}`))
  }
  // A variable or the project file may be for runs with the other flag.
  for (const name of given.keys()) {
    const needs = flags[name]?.needs
    if (needs !== undefined && !givenNames.has(needs))
      complaints.push(`--${name} needs ${`--${needs} ${flags[needs]?.value ?? ''}`.trim()}`)
  }
  // The loop wrote one entry for each flag.
  return {
    values: values as ValuesOf<F>,
    sources: sources as Record<keyof F, string>,
    typed: new Set(given.keys()),
    typedWords: [...given].flatMap(([name, texts]) => typedAs(name, flags[name], texts)),
    given: givenNames,
    project: project && { file: project.file, flags: ofProject },
    complaints,
  }
}

function typedAs(name: string, flag: Flag<unknown> | undefined, texts: readonly string[]): readonly string[] {
  if (flag?.value === '' && texts.at(-1) === 'false') return [`--no-${name}`]
  const isHidden = flag?.isSecret === true || name === 'key' || name === 'add-key'
  return texts.flatMap(text => (text === '' ? [`--${name}`] : [`--${name}`, isHidden ? '…' : text]))
}

export function variableOf(name: string, { variable, variablePrefix = '' }: Flag<unknown>): string {
  return variable ?? `PET_MOCK_${variablePrefix}${name.toUpperCase().replaceAll('-', '_')}`
}

/** The value of a flag, which no texts leave at its fallback. */
export function readTexts(flag: Flag<unknown>, texts: readonly string[]): FlagReading<unknown> {
  if (texts.length === 0) return right(flag.fallback)
  if (flag.value !== '' && texts.some(text => text.trim() === ''))
    return wrong(` needs a value: ${flag.value}`)
  if (flag.isSecret && texts.length > 1) return wrong(`: expected one value, found ${texts.length}`)
  const reading = flag.read(texts)
  return reading.ok ? reading : wrong(...reading.problems.map(problem => `: ${problem}`))
}

function unknownFlag(name: string, flags: Flags): string {
  const typed = name.startsWith('-') ? name : withDashes(name)
  const known = [...Object.keys(flags), 'help', 'version'].map(withDashes)
  const near = nearFlags.get(name)?.find(one => Object.hasOwn(flags, one))
  // Other tools serve, so their flags are about a server.
  const meant =
    (near && withDashes(near)) ??
    (Object.hasOwn(flags, 'fixtures') ? otherFlags.get(name) : undefined) ??
    nameMeant(typed.replace(/^-*/, '--'), known)
  return `${typed} is not a flag of this command${meant === undefined ? '; see --help' : `; did you mean ${meant}?`}`
}

function withDashes(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`
}
