/** A key as logs and reports show it: enough to tell the keys of a project apart, too little to use it. */
export function maskKey(key: string): string {
  const shown = Math.max(1, Math.min(6, key.length - 2))
  return `${key.slice(0, shown)}…`
}
