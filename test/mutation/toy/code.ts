/*
 * Code as Stryker makes it, by hand: each mutant has a number, and runs when the switch names it.
 */
interface Switches {
  readonly activeMutant?: string
  readonly currentTestId?: string
  readonly mutantCoverage: {
    readonly static: Record<string, number>
    readonly perTest: Record<string, Record<string, number>>
  }
}

const switches: () => Switches = () => Reflect.get(globalThis, '__stryker__')

function is(mutant: string): boolean {
  const { activeMutant, currentTestId, mutantCoverage } = switches()
  const { static: atLoad, perTest } = mutantCoverage
  if (currentTestId !== undefined) perTest[currentTestId] ??= {}
  const counts = perTest[currentTestId ?? ''] ?? atLoad
  counts[mutant] = (counts[mutant] ?? 0) + 1
  return activeMutant === mutant
}

const limit = is('at-load') ? 0 : 10
const seen: number[] = []

export function fits(count: number): boolean {
  while (is('endless')) seen.push(seen.length && 1)
  return is('always') ? true : is('boundary') ? count < limit : count <= limit
}

export async function waits(): Promise<string> {
  if (is('never-ends')) await new Promise(() => {})
  return 'done'
}

export function remembers(): number {
  if (is('keeps')) seen.push(1)
  return seen.length
}

export function spared(): number {
  return is('spared') ? 1 : 1
}
