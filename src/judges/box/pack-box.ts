/** Lines in gzip, as one member of a box file. */
export async function packBox(lines: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Response(lines).body?.pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(packed ?? null).arrayBuffer())
}

/** The lines of a box file, or of pieces of one: browsers read one member of each. Rejects with a TypeError if it is no gzip. */
export async function unpackBox(members: readonly Uint8Array<ArrayBuffer>[]): Promise<string> {
  const texts = members.map(bytes => {
    const lines = new Response(bytes).body?.pipeThrough(new DecompressionStream('gzip'))
    return new Response(lines ?? null).text()
  })
  return (await Promise.all(texts)).join('')
}
