/**
 * The few web APIs that floors 1 to 5 use: Node and browsers both have them. Those floors are compiled with
 * neither DOM nor Node types, so what is not named here cannot be used there.
 */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(input?: Uint8Array, options?: { stream?: boolean }): string
}
declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>
}
declare function atob(text: string): string
declare function btoa(text: string): string

declare class Headers {
  set(name: string, value: string): void
}
declare class Request {
  constructor(url: string, init?: { readonly method?: string })
  readonly method: string
  readonly url: string
}
declare class Response {
  constructor(
    body?: string | ReadableStream<Uint8Array> | null,
    init?: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> },
  )
  readonly status: number
  readonly headers: Headers
  readonly body: ReadableStream<Uint8Array> | null
}
declare class ReadableStream<T> {
  constructor(source: {
    readonly start?: (controller: ReadableStreamController<T>) => void
    readonly pull?: (controller: ReadableStreamController<T>) => void | Promise<void>
    readonly cancel?: () => void
  })
}
interface ReadableStreamController<T> {
  /** How much more is wanted; 0 or less: the reader is behind. */
  readonly desiredSize: number | null
  enqueue(chunk: T): void
  close(): void
  error(reason: unknown): void
}
interface AbortSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}
