/** The frame with the panel of a server, or a text that says that no server answers. */
export async function describeFrame(base: string): Promise<HTMLElement> {
  // The only file below /__admin that pages of other origins may read.
  const isThere = await fetch(`${base}panel.js`, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!isThere) {
    const text = document.createElement('p')
    text.textContent = `No pet-mock answers at ${base}. Start one with "npx pet-mock".`
    return text
  }
  const frame = document.createElement('iframe')
  frame.title = 'pet-mock'
  frame.src = `${base}panel`
  return frame
}
