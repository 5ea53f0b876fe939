import type { JsonObject, JsonValue } from '../../base/json/value.ts'

export interface ApiDocument {
  readonly title: string
  readonly version: string
  /** Markdown. */
  readonly about: string
  readonly tags: readonly { readonly name: string; readonly about: string }[]
  readonly operations: readonly Operation[]
  /** The document itself, for references. */
  readonly root: JsonObject
}

export interface Operation {
  /** Its `operationId`, or its method and path. */
  readonly id: string
  readonly method: string
  /** The path from the server's root, with names in braces: `/v1/pets/{petId}`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly about: string
  readonly isDeprecated: boolean
  readonly parameters: readonly Parameter[]
  readonly body: (Content & { readonly isRequired: boolean }) | undefined
  readonly answers: readonly Answer[]
}

export interface Parameter {
  readonly name: string
  /** `path`, `query`, `header` or `cookie`. */
  readonly place: string
  readonly isRequired: boolean
  readonly about: string
  readonly schema: JsonObject
  readonly example: JsonValue | undefined
}

/** A body: its media type, schema and examples. */
export interface Content {
  readonly type: string
  readonly schema: JsonObject
  readonly examples: readonly { readonly name: string; readonly value: JsonValue }[]
}

export interface Answer {
  readonly status: string
  readonly about: string
  readonly headers: readonly Parameter[]
  readonly content: Content | undefined
}
