import { resolve } from 'node:path'
import { exitCodes, type Io } from '../terminal/io.ts'
import { printable, wrap } from '../terminal/text.ts'
import * as flag from './flag.ts'

export interface CommandHelp {
  readonly name: string
  /** The title above it in `pet-mock --help`, such as `Start:`. */
  readonly section?: string
  /** Runs when no command, or no command of its group, is named. */
  readonly isDefault?: boolean
  /** The words after its name, as --help shows them. Without it, the command takes no words. */
  readonly words?: string
  /** Its words are another command line, after `--`. */
  readonly runsAnother?: boolean
  /** It takes flags from the project file pet-mock.yaml. */
  readonly readsProject?: boolean
  readonly about: string
  readonly examples?: readonly (readonly [line: string, about: string])[]
  /** Paragraphs at the end of its --help. */
  readonly notes?: readonly string[]
}

/** A command with the types of its flags erased. commands.ts lists all commands. */
export interface Command extends CommandHelp {
  readonly flags: flag.Flags
  readonly run: (line: CommandArguments, io: Io) => Promise<number>
}

export interface CommandArguments {
  readonly given: flag.FlagTexts
  readonly words: readonly string[]
  readonly complaints: readonly string[]
  /** Only for a command that reads the project file, and only if there is one. */
  readonly project?: flag.ProjectFlags | undefined
  readonly loadCommands: LoadCommands
}

export type Commands = readonly (Command | CommandGroup)[]

/** Imports all commands. A plain start of the server does not need them. */
export type LoadCommands = () => Promise<Commands>

/** The flags and words of one call of a command. `complaints` has all mistakes so far, for the command to print with its own. */
export interface Invocation<Values>
  extends flag.FlagValues<Values>,
    Pick<CommandArguments, 'words' | 'loadCommands'> {
  readonly io: Io
}

export type Run<Values> = (invocation: Invocation<Values>) => Promise<number>
/** What runs a command that has these flags. */
export type RunOf<F extends flag.Flags> = Run<flag.ValuesOf<F>>

interface Declaration<F extends flag.Flags> extends CommandHelp {
  readonly flags: F
  /** Lists further mistakes. With it, the command refuses all mistakes before it runs. */
  readonly check?: (invocation: Invocation<flag.ValuesOf<F>>) => readonly string[]
  /** Imports what the command does, when it runs: a server starts faster without the other commands. */
  readonly load: () => Promise<{ readonly run: Run<flag.ValuesOf<F>> }>
}

/** Declares a command. A run file takes the types of its flags from the file that declares them, not from this one. */
export function command<F extends flag.Flags>({ check, load, ...declared }: Declaration<F>): Command {
  return {
    ...declared,
    run: async ({ given, words, complaints, project, loadCommands }, io) => {
      const flags = flag.readFlags(declared.flags, given, io.env, project)
      const invocation = {
        ...flags,
        complaints: [
          ...complaints,
          ...flags.complaints,
          ...checkPaths(declared.flags, flags, declared.runsAnother ? [] : words),
        ],
        words,
        loadCommands,
        io,
      }
      const all = check === undefined ? [] : [...invocation.complaints, ...check(invocation)]
      return all.length > 0 ? refuseUsage(all, io) : (await load()).run(invocation)
    },
  }
}

/** Complaints about a file that the command would write, and that another flag or word names, too. */
function checkPaths(
  flags: flag.Flags,
  { values, given }: Pick<flag.FlagValues<Readonly<Record<string, unknown>>>, 'values' | 'given'>,
  words: readonly string[],
): readonly string[] {
  const use = (name: string, path: string, writes: boolean) => ({ name, path, full: resolve(path), writes })
  const named = [...given].flatMap(name => {
    const { writes = false, isPath = () => writes } = flags[name] ?? {}
    return [values[name]]
      .flat()
      .flatMap(path => (typeof path === 'string' && isPath(path) ? [use(`--${name}`, path, writes)] : []))
  })
  const all = [...named, ...words.map(path => use('the command', path, false))]
  return all.flatMap((one, place) => {
    const other = all.find(({ full, writes }, at) => full === one.full && (at < place ? !writes : at > place))
    // A run may be compared with the baseline that it replaces.
    if (!one.writes || other === undefined || one.name === `--write-${other.name.slice(2)}`) return []
    return [`${one.name} would write ${one.path}, which ${other.name} names, too: choose another file`]
  })
}

/** Commands that share a first word: `scenarios list`, `scenarios play`. */
export interface CommandGroup extends Pick<CommandHelp, 'name' | 'section' | 'about'> {
  readonly commands: readonly Command[]
}

export function isGroup(command: Command | CommandGroup): command is CommandGroup {
  return 'commands' in command
}

/** Pages that explain more than a message can. The first pattern that fits one of the mistakes decides. */
const pages: readonly (readonly [RegExp, string])[] = [
  [/\.petbox\b|^--at:/, 'docs/box.md'],
  [/^pet-mock\.ya?ml\b/, 'docs/commands.md#pet-mockyaml'],
  [/^--openapi|: (?:openapi|info|paths|components)\b/, 'docs/endpoints.md#contradictions-and-mistakes'],
  [/^--(?:demand|instances|policy)\b|: groups\b/, 'docs/fleet.md'],
  [/^--state|^\S+ was not changed\./, 'docs/admin.md#snapshots-and---state'],
  [/^--watch/, 'docs/scenarios.md#the-file'],
  [/\bprofile is of\b|--profile\b/, 'docs/learn.md'],
  [/^--(?:scenario|rules|add|fixtures)\b|^\S+:\d+:\d+: /, 'docs/scenarios.md#the-file'],
  [/^--tls/, 'docs/browser.md#https'],
  [/^--(?:fail-on|report)/, 'docs/findings.md'],
  [/^--(?:admin-token|allowed-hosts|host)\b/, 'docs/admin.md#who-may-use-it'],
  [/HTTP archive|journal\b/, 'docs/recordings.md'],
]

/** Prints why a command cannot run. Files and servers wrote parts of these texts. Returns the exit code. */
export function refuseUsage(
  complaints: readonly string[],
  { stderr }: Pick<Io, 'stderr'>,
  exitCode: number = exitCodes.wrongUsage,
): number {
  const { columns = Number.POSITIVE_INFINITY } = stderr
  const page = pages.find(([pattern]) => complaints.some(text => pattern.test(text)))?.[1]
  const lines = [...complaints, ...(page === undefined ? [] : [`More: ${page}`])]
    .flatMap(text => text.split('\n'))
    .flatMap(text => (text.length <= columns ? printable(text) : wrap(printable(text), columns)))
  stderr.write(`${lines.join('\n')}\n`)
  return exitCode
}
