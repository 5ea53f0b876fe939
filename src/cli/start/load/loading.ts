/** A loaded value, or every mistake in what the user named, one line each. */
export type Loading<T> = { readonly ok: true; readonly value: T } | FailedLoading

export interface FailedLoading {
  readonly ok: false
  readonly complaints: readonly string[]
}

export function failed(...complaints: readonly string[]): FailedLoading {
  return { ok: false, complaints }
}

export function complaintsOf(...loadings: readonly Loading<unknown>[]): readonly string[] {
  return loadings.flatMap(loading => (loading.ok ? [] : loading.complaints))
}
