/** Complains when a command with these `places` for words, such as `NAME [DIR]` or `FILE…`, gets too few or too many. */
export function countWords(
  path: readonly string[],
  places: string,
  words: readonly string[],
): readonly string[] {
  const names = places.split(' ')
  const least = names.filter(name => !name.startsWith('[')).length
  const most = places.includes('…') ? Number.POSITIVE_INFINITY : names.length
  if (words.length >= least && words.length <= most) return []
  return [`Expected: pet-mock ${[...path, places].join(' ')}`]
}
