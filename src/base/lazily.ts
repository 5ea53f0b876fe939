/**
 * Loads a part when it is first needed, and keeps it. A failed load is not kept: the next caller tries again. Callers that
 * come while a load is under way share it.
 */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}
