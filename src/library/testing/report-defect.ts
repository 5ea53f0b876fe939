/** A defect of pet-mock itself (A20), where a developer sees it: on stderr, or in a browser's console. */
export function tellFailure(error: unknown): void {
  console.error('pet-mock failed:', error)
}
