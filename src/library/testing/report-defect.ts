/** Prints a defect of pet-mock (A20) to stderr, or to a browser's console. */
export function reportDefect(error: unknown): void {
  console.error('pet-mock failed:', error)
}
