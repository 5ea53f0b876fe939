import { exitCodes, type Io } from '../terminal/io.ts'
import { printable, wrap } from '../terminal/printable.ts'

/** Pages that explain more than a message can. The first pattern that fits one of the mistakes decides. */
const pages: readonly (readonly [RegExp, string])[] = [
  [/\.petbox\b|^--at:/, 'docs/box.md'],
  [/^pet-mock\.ya?ml\b/, 'docs/commands.md#pet-mockyaml'],
  [/^--openapi|: (?:openapi|info|paths|components)\b/, 'docs/endpoints.md#contradictions-and-mistakes'],
  [/^--(?:demand|instances|policy)\b|: groups\b/, 'docs/fleet.md'],
  [/^--(?:state|watch)|^\S+ was not changed\./, 'docs/admin.md#snapshots-and---state'],
  [/^--(?:scenario|rules|add|fixtures)\b|^\S+:\d+:\d+: /, 'docs/scenarios.md#the-file'],
  [/^--tls/, 'docs/browser.md#https'],
  [/^--(?:fail-on|report)/, 'docs/findings.md'],
  [/^--(?:admin-token|allowed-hosts|host)\b/, 'docs/admin.md#who-may-use-it'],
  [/HTTP archive|journal\b/, 'docs/recordings.md'],
]

export function refuseUsage(complaints: readonly string[], { stderr }: Pick<Io, 'stderr'>): number {
  stderr.write(`${printed(complaints, stderr)}\n`)
  return exitCodes.wrongUsage
}

/** Files and servers wrote parts of these texts. */
function printed(texts: readonly string[], { columns = Number.POSITIVE_INFINITY }: Io['stderr']): string {
  const page = pages.find(([pattern]) => texts.some(text => pattern.test(text)))?.[1]
  return [...texts, ...(page === undefined ? [] : [`More: ${page}`])]
    .flatMap(text => text.split('\n'))
    .flatMap(text => (text.length <= columns ? printable(text) : wrap(printable(text), columns)))
    .join('\n')
}

/** Prints why a correct command cannot run now. */
export function refuseStart(reasons: readonly string[], { stderr }: Pick<Io, 'stderr'>): number {
  stderr.write(`${printed(reasons, stderr)}\n`)
  return exitCodes.cannotStart
}
