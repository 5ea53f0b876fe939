/** A command line without the flags that yargs would misread, and those flags as they were typed. */
export interface SetAside {
  readonly plain: readonly string[]
  readonly odd: readonly string[]
}

/**
 * yargs looks names up in plain objects, so it stumbles over `--constructor`; and it takes `-port` for -p, -o, -r
 * and -t, which would make four complaints of one slip. A word after such a flag is most likely its value.
 */
export function setAside(args: readonly string[]): SetAside {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const isOdd = (index: number) => index >= 0 && index < end && isOddFlag(args[index] ?? '')
  const isItsValue = (index: number) =>
    index < end && isOdd(index - 1) && !args[index - 1]?.includes('=') && !args[index]?.startsWith('-')
  return {
    plain: args.filter((_, index) => !isOdd(index) && !isItsValue(index)),
    odd: args.filter((_, index) => isOdd(index)).map(flag => flag.replace(/=.*/s, '')),
  }
}

function isOddFlag(arg: string): boolean {
  const name = /^--?([^=]+)/.exec(arg)?.[1]
  return name !== undefined && (name in {} || /^-[A-Za-z]{2}/.test(arg))
}
