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
