/** What differs from run to run, and what stands for it in the record. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/<style>[\s\S]*?<\/style>/g, '<style/>'],
  [/<svg [\s\S]*?<\/svg>/g, '<svg/>'],
  [/(Retry-After: |"retryAfter":|"Retry-After",")(?:5\d|60)\b/gi, '$1SPAN'],
  [/\b[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT/g, 'DATE'],
  [/\b20\d{2}-\d{2}-\d{2}(?:T| )\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z| UTC)?/g, 'INSTANT'],
  [/\b20\d{2}-\d{2}-\d{2}\b/g, 'DAY'],
  [/\b\d{2}:\d{2}:\d{2}(?:\.\d+)?\b/g, 'TIME'],
  [/(?:127\.0\.0\.1|localhost):\d+/g, 'HOST'],
  [/\b1[789]\d{8}(?:\d{3})?(?:\.\d+)?\b/g, 'EPOCH'],
  [/("(?:pid|writtenAt|at|skewMs|wallMs|\w*Ms|time|duration|port|revision)": ?)-?\d+(?:\.\d+)?/g, '$1N'],
  [/((?:time|timestamp)=")[^"]*"/g, '$1N"'],
  [/\b\d+(?:\.\d+)?(?: ?(?:ms|s|m|h|min)\b)+(?:\d+(?:\.\d+)?(?:s|m)\b)?/g, 'SPAN'],
  [/\b\d+ (?:seconds?|minutes?|hours?)\b/g, 'SPAN'],
]

/** Replaces times, ports, positions of drawings and these words in a text. */
export function replaceVarying(text: string, words: Readonly<Record<string, string>>): string {
  let result = text
  for (const [from, to] of Object.entries(words)) result = result.replaceAll(from, to)
  for (const [pattern, to] of replacements) result = result.replace(pattern, to)
  // Columns are as wide as the times in them.
  result = result.replace(/(?<=\S) {2,}(?=\S)/g, '  ')
  // A sentence breaks where its times let it: one with a time stands in one line.
  result = result.replace(/^( {2,})[A-Z](?!.*\S {2}).*(?:\n\1(?!.*\S {2})[A-Za-z~\d].*)+$/gm, sentence =>
    sentence.includes('SPAN') ? sentence.replaceAll(/\n +/g, ' ') : sentence,
  )
  return `${result.replace(/[ \t]+$/gm, '').trimEnd()}\n`
}
