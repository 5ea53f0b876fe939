/** Resolves in the next turn of the event loop, after pending I/O. */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
