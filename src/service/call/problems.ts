/** Every error code with its status. The codes are part of the public interface. */
export const problems = {
  bad_request: 400,
  invalid_json: 400,
  invalid_body: 400,
  invalid_parameter: 400,
  unsupported_media_type: 400,
  invalid_command: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  invalid_admin_token: 401,
  admin_plane_closed: 403,
  host_not_allowed: 403,
  origin_not_allowed: 403,
  pet_not_found: 404,
  route_not_found: 404,
  endpoint_removed: 404,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  state_off: 409,
  journal_off: 409,
  body_too_large: 413,
  rate_limit_exceeded: 429,
  api_key_banned: 429,
  headers_too_large: 431,
  internal_error: 500,
  state_not_saved: 500,
  upstream_failed: 502,
  server_busy: 503,
  too_many_bodies: 503,
} as const satisfies Record<string, number>

export type ProblemCode = keyof typeof problems

/** The codes of the API's own errors. The other ones are of pet-mock, its doors and its admin plane. */
export const apiCodes = [
  'missing_api_key',
  'invalid_api_key',
  'api_key_banned',
  'rate_limit_exceeded',
  'route_not_found',
  'endpoint_removed',
  'method_not_allowed',
  'invalid_parameter',
  'unsupported_media_type',
  'body_too_large',
  'invalid_json',
  'invalid_body',
  'pet_not_found',
] as const satisfies readonly ProblemCode[]

export interface Reason {
  readonly code: ProblemCode
  readonly message: string
}
