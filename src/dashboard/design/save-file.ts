export function saveFile(name: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has not read it when this returns.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
