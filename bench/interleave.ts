import { isNotRun, type NotRun, notRun } from './not-run.ts'

/**
 * Measures everybody once a round, so that what disturbs the machine disturbs all alike. Each round begins with another
 * one: nobody is always the one after the heaviest. Who fails once is out, with the reason.
 */
export async function interleave<Name extends string, Contestant, Sample>(
  contestants: Readonly<Record<Name, Contestant | NotRun>>,
  rounds: number,
  measure: (contestant: Contestant, name: Name) => Promise<Sample>,
): Promise<Readonly<Record<Name, readonly Sample[] | NotRun>>> {
  const names = Object.keys(contestants) as Name[]
  const samples = Object.fromEntries(names.map(name => [name, []])) as unknown as Record<Name, Sample[]>
  const out = new Map<Name, NotRun>()
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length]
      if (name === undefined || out.has(name)) continue
      const contestant = contestants[name]
      try {
        if (isNotRun(contestant)) out.set(name, contestant)
        else samples[name].push(await measure(contestant as Contestant, name))
      } catch (error) {
        out.set(name, notRun(error))
      }
    }
  }
  const results = names.map(name => [name, out.get(name) ?? samples[name]] as const)
  return Object.fromEntries(results) as Record<Name, readonly Sample[] | NotRun>
}
