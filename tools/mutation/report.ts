import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { table } from '../program/table.ts'
import { formatMutant, type Mutant } from './mutants.ts'
import type { Results } from './results.ts'
import type { Room } from './room.ts'

/** One row for each room. A killed mutant made a test fail, never end or use up the memory. */
export function formatTable(rooms: readonly Room[]): string {
  const head = [
    'room',
    'mutants',
    'tried',
    'killed',
    'survived',
    'not covered',
    'of these rejected by the compiler',
    'of these equivalent',
  ]
  return table(head, rooms.map(cellsOf))
}

function cellsOf({ room, size, seed, mutants, results }: Room): readonly string[] {
  const of = (...wanted: readonly string[]) =>
    mutants.filter(({ key }) => wanted.includes(results.get(key)?.status ?? 'open')).length
  const killed = of('killed', 'timeout')
  const tried = mutants.length - of('open')
  const which = size === undefined ? 'all' : `sample, seed ${seed}`
  const share = tried === 0 ? '–' : `${killed} (${((100 * killed) / tried).toFixed(1)} %)`
  const left = survivors(mutants, results)
  const rejected = left.filter(({ isRejected }) => isRejected).length
  const listed = left.filter(({ isRejected, reason }) => !isRejected && reason !== undefined).length
  const counts = [of('survived'), of('not covered'), rejected, listed].map(String)
  return [`\`src/${room}/\``, `${mutants.length} (${which})`, `${tried}`, share, ...counts]
}

/** A line for each mutant that no test noticed, with the reason if it cannot be noticed. */
export function formatSurvivors({ mutants, results }: Room): string {
  return survivors(mutants, results)
    .map(({ mutant, isRejected, reason }) => {
      const status = reason === undefined ? results.get(mutant.key)?.status : `equivalent (${reason})`
      return `${isRejected ? 'rejected by the compiler' : status}: ${formatMutant(mutant)}\n`
    })
    .join('')
}

function survivors(mutants: readonly Mutant[], results: Results) {
  return mutants
    .filter(({ key }) => ['survived', 'not covered'].includes(results.get(key)?.status ?? 'open'))
    .map(mutant => ({
      mutant,
      isRejected: results.get(mutant.key)?.compiles === false,
      reason: reasonFor(mutant),
    }))
}

/** By file and reason: what behaves like the original. */
type Equivalents = Readonly<Record<string, Readonly<Record<string, readonly Change[]>>>>
type Change = readonly [original: string, ...replacements: string[]]

const equivalents: Equivalents = parse(readFileSync(new URL('equivalents.yaml', import.meta.url), 'utf8'))

/** `wanted`: the whole text, or its end after `…`. */
const isLike = (text: string, wanted: string) =>
  wanted.startsWith('…') ? text.endsWith(wanted.slice(1)) : text === wanted

function reasonFor({ file, original, replacement }: Mutant): string | undefined {
  const reasons = Object.entries(equivalents[file] ?? {})
  const found = reasons.find(([, changes]) =>
    changes.some(([from, ...to]) => isLike(original, from) && to.some(text => isLike(replacement, text))),
  )
  return found?.[0]
}
