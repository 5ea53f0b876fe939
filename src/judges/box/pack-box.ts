/** The bytes of a box file: its lines in gzip. */
export async function packBox(lines: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Response(lines).body?.pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(packed ?? null).arrayBuffer())
}

/** The lines of a box file. Rejects with a TypeError if the bytes are no gzip. */
export function unpackBox(bytes: Uint8Array): Promise<string> {
  const lines = new Response(bytes).body?.pipeThrough(new DecompressionStream('gzip'))
  return new Response(lines ?? null).text()
}
