/** A flag of a command: its --help, its environment variable, and how its text is read. */
export interface Flag<T> {
  readonly alias?: string
  /** The environment variable that it overrides. */
  readonly variable?: string
  /** The placeholder of the value in --help and messages. Empty for a switch, which takes no value. */
  readonly value: string
  readonly group: string
  readonly about: string
  /** The value without the flag and its variable. */
  readonly fallback: T
  /** The default as --help shows it, if the fallback would not be clear. */
  readonly defaultText?: string
  /** Complaints do not show its value. */
  readonly isSecret?: true
  /** The only values. */
  readonly words?: readonly string[]
  /** Whether a value is the path of a file or directory. In pet-mock.yaml, such a path is relative to that file. */
  readonly isPath?: (text: string) => boolean
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

/** Reads one text. */
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

/** For `isPath` of a flag that only takes paths. */
export const always = (): boolean => true

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

/** The items of texts that separate them by commas. */
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

/** Declares the flags of one group in --help, such as `Server:`. */
export function flagGroup(group: string) {
  const flag = <T>(entry: Omit<Flag<T>, 'group'>): Flag<T> => ({ ...entry, group })
  return {
    flag,
    toggle: (entry: Pick<Flag<boolean>, 'alias' | 'variable' | 'about' | 'notInProject'>) =>
      flag<boolean>({ ...entry, value: '', fallback: false, read: readSwitch }),
    /** A flag with one value or none. */
    optional: <T>({ parse, ...entry }: Omit<Flag<T>, 'group' | 'fallback' | 'read'> & { parse: Parse<T> }) =>
      flag<T | undefined>({ ...entry, fallback: undefined, read: one(parse) }),
  }
}
