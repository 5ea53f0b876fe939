/** The formats of reports, by file extension. */
export const reportExtensions = ['.json', '.xml', '.md', '.html'] as const
export type ReportExtension = (typeof reportExtensions)[number]

export function extensionOf(path: string): ReportExtension | undefined {
  return reportExtensions.find(extension => path.toLowerCase().endsWith(extension))
}
