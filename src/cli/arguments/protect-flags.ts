/** A command line without the flags that yargs would misread, and those flags. */
export interface SetAside {
  readonly plain: readonly string[]
  /** As typed, without a value. */
  readonly odd: readonly string[]
  /** Switches typed as `--name=text`, which yargs always reads as false. */
  readonly assigned: readonly (readonly [name: string, text: string])[]
}

/**
 * yargs looks up names in plain objects, so `--constructor` confuses it. It also reads `-port` as -p, -o, -r and -t, which
 * would make four complaints of one mistake. The word after such a flag is probably its value.
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
    assigned: args.flatMap((_, index) => readSwitch(index)),
  }
}

function isOddFlag(arg: string): boolean {
  const name = /^--?([^=]+)/.exec(arg)?.[1]
  return name !== undefined && (name in {} || /^-[A-Za-z]{2}/.test(arg))
}
