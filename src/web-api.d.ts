/**
 * The web APIs that the code of wings 1 to 5, `doors/admin` and `doors/fetch` uses. Node and browsers have all of them.
 * That code is compiled with neither the DOM's types nor Node's, so it cannot use anything else.
 */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(input?: Uint8Array, options?: { stream?: boolean }): string
}
declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>
}
declare class URL {
  constructor(url: string, base?: string)
  static canParse(url: string, base?: string): boolean
  readonly host: string
  readonly pathname: string
  readonly search: string
  readonly protocol: string
  readonly searchParams: Iterable<[string, string]>
}
declare function atob(text: string): string
declare function btoa(text: string): string
declare function setTimeout(callback: () => void, ms?: number): number
declare function clearTimeout(timer: number | undefined): void
declare const performance: { now(): number }

declare class Headers implements Iterable<[string, string]> {
  has(name: string): boolean
  set(name: string, value: string): void
  [Symbol.iterator](): Iterator<[string, string]>
}
interface RequestInit {
  readonly method?: string
}
declare class Request {
  constructor(input: string | URL | Request, init?: RequestInit)
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: ReadableStream<Uint8Array> | null
  readonly signal: AbortSignal
  arrayBuffer(): Promise<ArrayBuffer>
}
declare class Blob {
  constructor(parts: Uint8Array[])
  readonly size: number
}
declare class Response {
  constructor(
    body?: string | Uint8Array | Blob | ReadableStream<Uint8Array> | null,
    init?: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> },
  )
  static error(): Response
  readonly status: number
  readonly type: string
  readonly headers: Headers
  readonly body: ReadableStream<Uint8Array> | null
  arrayBuffer(): Promise<ArrayBuffer>
  text(): Promise<string>
}
declare class CompressionStream {
  constructor(format: 'gzip')
  readonly readable: ReadableStream<Uint8Array>
}
declare class DecompressionStream {
  constructor(format: 'gzip')
  readonly readable: ReadableStream<Uint8Array>
}
declare class ReadableStream<T> {
  constructor(
    source: {
      readonly start?: (controller: ReadableStreamDefaultController<T>) => void
      readonly pull?: (controller: ReadableStreamDefaultController<T>) => void | Promise<void>
      readonly cancel?: () => void
    },
    strategy?: { readonly highWaterMark?: number },
  )
  pipeThrough<To>(transform: { readonly readable: ReadableStream<To> }): ReadableStream<To>
}
interface ReadableStreamDefaultController<T> {
  /** How many more chunks are wanted. At 0 or less, the reader is behind. */
  readonly desiredSize: number | null
  enqueue(chunk: T): void
  close(): void
  error(reason: unknown): void
}
interface AbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}
