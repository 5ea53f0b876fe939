/** An integer of 64 bits: a number while that is exact, a bigint beyond 2^53. One value has one form only. */
export type Int64 = number | bigint

export type JsonValue = null | boolean | string | number | bigint | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [name: string]: JsonValue
}
