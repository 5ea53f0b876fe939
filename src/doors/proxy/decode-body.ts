import zlib from 'node:zlib'

type Decoder = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array

/** By content coding (RFC 9110, section 8.4.1). */
const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['identity', bytes => bytes],
  ['gzip', zlib.gunzipSync],
  ['x-gzip', zlib.gunzipSync],
  ['deflate', inflate],
  ['br', zlib.brotliDecompressSync],
  // Since Node 22.15.
  ...('zstdDecompressSync' in zlib ? [['zstd', zlib.zstdDecompressSync as Decoder] as const] : []),
])

/** Limits the work that a hostile header can cause. */
const mostCodings = 3

/** The decoded body; undefined if it exceeds `most` bytes, is broken, or has an unknown coding. */
export function decodeBody(
  bytes: Uint8Array,
  codings: string | undefined,
  most: number,
): Uint8Array | undefined {
  const names = (codings ?? '').split(',').map(name => name.trim().toLowerCase())
  const known = names.filter(name => name !== '').map(name => decoders.get(name))
  if (known.length > mostCodings) return undefined
  try {
    // The header lists codings in the order of their application.
    return known.toReversed().reduce<Uint8Array | undefined>((coded, decode) => {
      return coded === undefined ? undefined : decode?.(coded, { maxOutputLength: most })
    }, bytes)
  } catch {
    return undefined
  }
}

/** Some servers send `deflate` without its zlib frame. */
function inflate(bytes: Uint8Array, options: { readonly maxOutputLength: number }): Uint8Array {
  const hasFrame = ((bytes[0] ?? 0) & 0x0f) === 8 && (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) % 31 === 0
  return hasFrame ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options)
}
