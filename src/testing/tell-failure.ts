/** A defect of pet-mock's own: the client has its 500, and this is where the reason is. */
export function tellFailure(error: unknown): void {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`pet-mock failed: ${what}\n`)
}
