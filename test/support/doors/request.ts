/** A request as a row of a table writes it; `target` alone is a GET with the key `demo-free`. */
export interface TestRequest {
  readonly method?: string
  readonly target?: string
  /** null: no Authorization header. */
  readonly key?: string | null
  /** Beside Host and Authorization, in order, repeated ones included. */
  readonly headers?: readonly (readonly [string, string])[]
  /** An object is sent as JSON, with its Content-Type. */
  readonly body?: string | Uint8Array | object
}

export interface TestReply {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface CompleteRequest {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array | undefined
}

export function complete(request: TestRequest = {}): CompleteRequest {
  const { method = 'GET', target = '/v1/pets', key = 'demo-free', headers = [], body } = request
  const authorization = key === null ? [] : [['Authorization', `Bearer ${key}`] as const]
  if (body === undefined) return { method, target, headers: [...authorization, ...headers], body: undefined }
  if (typeof body === 'string')
    return { method, target, headers: [...authorization, ...headers], body: encode(body) }
  if (body instanceof Uint8Array) return { method, target, headers: [...authorization, ...headers], body }
  const json = [['Content-Type', 'application/json'] as const]
  return {
    method,
    target,
    headers: [...authorization, ...json, ...headers],
    body: encode(JSON.stringify(body)),
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

export const brokenBody = 'the body broke off'

/** The text of a response that has come; what goes wrong from here on is told apart from a call that failed at once. */
export async function readBody(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (cause) {
    throw new Error(brokenBody, { cause })
  }
}
