const longestLine = 140

/** A paragraph in lines of readable length. Code spans stay whole. */
export function paragraph(text: string): string {
  const lines = ['']
  for (const word of text.match(/(?:`[^`]*`|\S)+/g) ?? []) {
    const longer = `${lines.at(-1)} ${word}`.trimStart()
    if (longer === word || longer.length <= longestLine) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.join('\n')
}
