/** A command line without the flags that yargs would misread, and those flags as they were typed. */
export interface SetAside {
  readonly plain: readonly string[]
  readonly odd: readonly string[]
  /** What was said of switches by `--name=text`, which yargs would take for a no whatever the text is. */
  readonly said: readonly (readonly [name: string, text: string])[]
}

/**
 * yargs looks names up in plain objects, so it stumbles over `--constructor`; and it takes `-port` for -p, -o, -r
 * and -t, which would make four complaints of one slip. A word after such a flag is most likely its value.
 */
export function setAside(args: readonly string[], switches: readonly string[]): SetAside {
  const isOdd = (index: number) => isOddFlag(args[index] ?? '')
  const isItsValue = (index: number) =>
    isOdd(index - 1) && !args[index - 1]?.includes('=') && !args[index]?.startsWith('-')
  const readSwitch = (index: number) => {
    const [, name, text] = /^--([^=]+)=(.*)$/s.exec(args[index] ?? '') ?? []
    return name !== undefined && text !== undefined && switches.includes(name) ? [[name, text] as const] : []
  }
  return {
    plain: args.filter((_, at) => !isOdd(at) && !isItsValue(at) && readSwitch(at).length === 0),
    odd: args.filter((_, index) => isOdd(index)).map(flag => flag.replace(/=.*/s, '')),
    said: args.flatMap((_, index) => readSwitch(index)),
  }
}

function isOddFlag(arg: string): boolean {
  const name = /^--?([^=]+)/.exec(arg)?.[1]
  return name !== undefined && (name in {} || /^-[A-Za-z]{2}/.test(arg))
}
