/** Adds to a count by key, which begins at 0. */
export function countIn<K>(counts: Map<K, number>, key: K, count = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}
