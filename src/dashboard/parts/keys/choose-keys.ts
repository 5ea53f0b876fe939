import type { PlaneKey } from '../../../generated/plane-operations.ts'

/** The keys whose names or plans hold a text: that of the situation first, then the busiest. */
export function chooseKeys<K extends PlaneKey>(
  keys: readonly K[],
  words: string,
  featured: string | undefined,
): readonly K[] {
  const wanted = words.trim().toLowerCase()
  const rank = ({ key, used }: PlaneKey) => (key === featured ? Number.POSITIVE_INFINITY : used.day)
  return keys
    .filter(({ key, plan }) => `${key} ${plan}`.toLowerCase().includes(wanted))
    .toSorted((one, other) => (rank(one) === rank(other) ? 0 : rank(other) - rank(one)))
}
