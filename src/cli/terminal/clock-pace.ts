/** How a clock goes, for people. */
export function paceOf({ scale }: { readonly scale: number }): string {
  if (scale === 0) return 'standing still'
  return scale === 1 ? 'running' : `running ${scale} times as fast`
}
