/** What could not be measured on this machine, and why. */
export interface NotRun {
  readonly notRun: string
}

export function isNotRun(value: unknown): value is NotRun {
  return typeof value === 'object' && value !== null && 'notRun' in value
}

/** An error as the reason, on one line. */
export function notRun(error: unknown): NotRun {
  const text = error instanceof Error ? error.message : String(error)
  return { notRun: text.replace(/\s+/g, ' ').trim() }
}
