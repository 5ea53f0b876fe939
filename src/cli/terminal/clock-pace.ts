export function formatPace({ scale }: { readonly scale: number }): string {
  if (scale === 0) return 'frozen'
  return scale === 1 ? 'running' : `running at ${scale}x speed`
}
