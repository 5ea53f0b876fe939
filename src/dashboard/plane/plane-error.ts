/** A call to the admin plane that failed. `status` 0: no server answered. */
export class PlaneError extends Error {
  readonly status: number
  /** The code of a refusal, or `unreachable`. */
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Whether the plane keeps this page out until it has the token, or until the server is started with one. */
export function isLockedOut({ status, code }: PlaneError): boolean {
  return status === 401 || code === closedCode
}

/** Of a server that other machines reach, and that has no token. */
export const closedCode = 'admin_plane_closed'

export function refusalOf(status: number, text: string): PlaneError {
  try {
    const { code, message } = JSON.parse(text)
    return new PlaneError(status, String(code), String(message))
  } catch {
    return new PlaneError(status, 'unreachable', `The server answered ${status}, and not as pet-mock does.`)
  }
}

export function unreachable(): PlaneError {
  return new PlaneError(0, 'unreachable', 'The server does not answer. Is it running?')
}
