/**
 * Loads a part when it is first needed, and keeps it. A failed load is not kept: the next caller tries again. Callers that
 * come while a load is under way share it.
 */
export function lazily<T, A extends readonly unknown[] = []>(
  load: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  let loading: Promise<T> | undefined
  return (...args) => {
    loading ??= load(...args).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}
