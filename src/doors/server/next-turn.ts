/** Resolves in the next turn of the event loop, after pending I/O was served. */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
