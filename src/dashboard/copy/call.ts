/** A call to send once more, from a shell or from a program. */
export interface CallToCopy {
  /** The URL before `/v1`. */
  readonly origin: string
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The value of the header `Authorization`. `$API_KEY`: the reader's own key. Undefined: the call has none. */
  readonly authorization: string | undefined
  readonly body: string | null
  /** Bytes of the whole body, if only its beginning is known. */
  readonly cutFrom: number | null
}

/** The reader's own key, where the call had one that the server does not know. */
export const ownKey = '$API_KEY'

/** The token of the admin plane, as the command reads it. */
export const ownToken = '$PET_MOCK_ADMIN_TOKEN'

/** The environment variable in the header `Authorization`, if it holds one. Nothing else of a copied text is a variable. */
export function variableIn(authorization: string): string | undefined {
  return [ownKey, ownToken].find(name => authorization === `Bearer ${name}`)?.slice(1)
}

export function hasType({ headers }: CallToCopy): boolean {
  return headers.some(([name]) => name.toLowerCase() === 'content-type')
}

/** What each client sets by itself, or what only fits the connection of the first call. */
const ownHeaders =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|expect|te|upgrade|accept-encoding|authorization|user-agent|sec-.*)$/

/** Masked values are of no use to anybody. */
export function headersToCopy(
  headers: Readonly<Record<string, string | readonly string[]>>,
): readonly (readonly [string, string])[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    ownHeaders.test(name)
      ? []
      : [values]
          .flat()
          .filter(value => !value.includes('…'))
          .map(value => [name, value] as const),
  )
}
