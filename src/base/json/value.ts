/** An integer of 64 bits: a number up to 2^53, a bigint beyond. Each value has one form. */
export type Int64 = number | bigint

export type JsonValue = null | boolean | string | number | bigint | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [name: string]: JsonValue
}
