/**
 * Runs tasks in this order, at most `jobs` at once. Begins none once `stop` aborts or a task failed. Rejects with the first
 * failure after the tasks under way.
 */
export async function runPool(
  tasks: readonly (() => Promise<void>)[],
  jobs: number,
  stop: AbortSignal,
): Promise<void> {
  const waiting = tasks.values()
  let failure: { readonly error: unknown } | undefined
  const work = async () => {
    for (const task of waiting) {
      if (stop.aborted || failure !== undefined) return
      try {
        await task()
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, tasks.length) }, work))
  if (failure !== undefined) throw failure.error
}
