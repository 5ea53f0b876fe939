/** A flag of a command: how it is told in --help, where else its value may come from, and how a text becomes a value. */
export interface Flag<T> {
  readonly alias?: string
  /** Its environment twin, if it has one, which holds when the flag is not given. */
  readonly variable?: string
  /** What stands for the value in --help and in messages; a switch has none, and is on when it is given. */
  readonly value: string
  readonly group: string
  readonly about: string
  /** The value when neither the flag nor its twin is given. */
  readonly fallback: T
  /** Reads the texts that were given, in order, none of them empty. */
  readonly read: (texts: readonly string[]) => FlagReading<T>
}

export type Flags = Readonly<Record<string, Flag<unknown>>>

/** A value, or what is wrong with each text, in words that follow the name of the flag. */
export type FlagReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] }

export type ValuesOf<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends Flag<infer T> ? T : never
}

export function right<T>(value: T): FlagReading<T> {
  return { ok: true, value }
}

export function wrong(...problems: readonly string[]): {
  readonly ok: false
  readonly problems: readonly string[]
} {
  return { ok: false, problems }
}

/** A flag that is on or off: given without a value, it is on. Environments say so in other words than people. */
export function isOn(texts: readonly string[]): FlagReading<boolean> {
  const text = texts.at(-1) ?? ''
  if (/^(?:|true|1|yes|on)$/i.test(text)) return right(true)
  return /^(?:false|0|no|off)$/i.test(text)
    ? right(false)
    : wrong(`expected true or false, found ${JSON.stringify(text)}`)
}

/** Takes one value. Repeating the flag is an error. */
export function one<T>(
  parse: (text: string) => FlagReading<T>,
): (texts: readonly string[]) => FlagReading<T> {
  return texts =>
    texts.length > 1
      ? wrong(`expected once, given ${texts.length} times (${texts.join(', ')})`)
      : parse(texts[0] ?? '')
}

/** A flag that may be given again, with one value or several between commas. */
export function many<T>(
  parse: (text: string) => FlagReading<T>,
): (texts: readonly string[]) => FlagReading<readonly T[]> {
  return texts => {
    const items = texts.flatMap(text => text.split(',')).map(item => item.trim())
    const readings = items.filter(item => item !== '').map(parse)
    const problems = readings.flatMap(reading => (reading.ok ? [] : reading.problems))
    return problems.length > 0
      ? wrong(...problems)
      : right(readings.flatMap(reading => (reading.ok ? [reading.value] : [])))
  }
}

/** Identity function that fixes `T`. */
export function flag<T>(entry: Flag<T>): Flag<T> {
  return entry
}

/** A flag without a value: it is on when given. */
export function toggle(entry: Omit<Flag<boolean>, 'value' | 'fallback' | 'read'>): Flag<boolean> {
  return { ...entry, value: '', fallback: false, read: isOn }
}

/** A flag with one value or none. */
export function optional<T>({
  parse,
  ...entry
}: Omit<Flag<T>, 'fallback' | 'read'> & {
  readonly parse: (text: string) => FlagReading<T>
}): Flag<T | undefined> {
  return { ...entry, fallback: undefined, read: one(parse) }
}
