/** Where a response sends its client instead of an answer; undefined if it does not. */
export function redirectTarget(
  status: number,
  headers: Readonly<Record<string, string>>,
): string | undefined {
  return status >= 300 && status < 400 ? headers.location : undefined
}

/** Why a redirected call is not judged, as a clause. */
export function redirectReason(target: string): string {
  return `the service redirects it to ${target}`
}
