import zlib from 'node:zlib'

type Decoder = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array

/** By the names of content codings (RFC 9110, section 8.4.1). */
const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['identity', bytes => bytes],
  ['gzip', zlib.gunzipSync],
  ['x-gzip', zlib.gunzipSync],
  ['deflate', inflate],
  ['br', zlib.brotliDecompressSync],
  // From Node 22.15 on.
  ...('zstdDecompressSync' in zlib ? [['zstd', zlib.zstdDecompressSync as Decoder] as const] : []),
])

/** Each coding is work: nobody uses more. */
const mostCodings = 3

/** What a body says, `most` bytes of it at most; undefined where it is larger, broken, or in a coding that is not known here. */
export function decodeBody(
  bytes: Uint8Array,
  codings: string | undefined,
  most: number,
): Uint8Array | undefined {
  const names = (codings ?? '').split(',').map(name => name.trim().toLowerCase())
  const known = names.filter(name => name !== '').map(name => decoders.get(name))
  if (known.length > mostCodings) return undefined
  try {
    // They were applied in this order.
    return known.toReversed().reduce<Uint8Array | undefined>((coded, decode) => {
      return coded === undefined ? undefined : decode?.(coded, { maxOutputLength: most })
    }, bytes)
  } catch {
    return undefined
  }
}

/** Some servers leave out what should be around it. */
function inflate(bytes: Uint8Array, options: { readonly maxOutputLength: number }): Uint8Array {
  const hasFrame = ((bytes[0] ?? 0) & 0x0f) === 8 && (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) % 31 === 0
  return hasFrame ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options)
}
