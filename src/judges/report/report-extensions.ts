/** The forms of a report by the ending of its file. */
export const reportExtensions = ['.json', '.xml', '.md', '.html'] as const
export type ReportExtension = (typeof reportExtensions)[number]

export function extensionOf(path: string): ReportExtension | undefined {
  return reportExtensions.find(ending => path.toLowerCase().endsWith(ending))
}
