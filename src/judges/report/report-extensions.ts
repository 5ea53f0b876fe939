/** The forms of a report by the ending of its file. */
export const reportEndings = ['.json', '.xml', '.md', '.html'] as const
export type ReportEnding = (typeof reportEndings)[number]

export function endingOf(path: string): ReportEnding | undefined {
  return reportEndings.find(ending => path.toLowerCase().endsWith(ending))
}
