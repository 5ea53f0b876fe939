/** Resolves after `ms` milliseconds (Infinity: never). Rejects with the signal's reason if it aborts before. */
export function wait(ms: number, { signal }: { readonly signal: AbortSignal }): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    if (ms === 0) {
      resolve()
      return
    }
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const end = () => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }
    const timer = Number.isFinite(ms) ? setTimeout(end, ms) : undefined
    signal.addEventListener('abort', giveUp, { once: true })
  })
}
