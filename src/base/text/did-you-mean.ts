/** A longer word is no typo, and takes long to compare. */
const longestWord = 100

/** The candidate that is nearest to a word, if it is near enough for a typo. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > longestWord) return undefined
  let nearest: string | undefined
  let least = Math.ceil(word.length / 3) + 1
  for (const candidate of candidates) {
    const steps = distance(word.toLowerCase(), candidate.toLowerCase())
    if (steps < least) {
      nearest = candidate
      least = steps
    }
  }
  return nearest
}

/** The only name that begins with what a person typed, else the nearest one. */
export function nameMeant(typed: string, names: Iterable<string>): string | undefined {
  const known = [...new Set(names)]
  const start = typed.toLowerCase()
  const [longer, ...others] = known.filter(name => name.toLowerCase().startsWith(start))
  const isOnly = longer !== undefined && others.length === 0 && typed.length > 1
  return isOnly ? longer : didYouMean(typed, known)
}

/** The end of a sentence with a suggestion, or nothing. */
export function suggest(word: string, candidates: Iterable<string>): string {
  const meant = nameMeant(word, candidates)
  return meant === undefined ? '' : `; did you mean ${meant}?`
}

/** The number of letters to insert, remove, replace or swap (optimal string alignment). */
function distance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1]
      const replace = (last[column - 1] ?? 0) + (same ? 0 : 1)
      const steps = Math.min(replace, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1)
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = swapped ? Math.min(steps, (beforeLast[column - 2] ?? 0) + 1) : steps
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}
