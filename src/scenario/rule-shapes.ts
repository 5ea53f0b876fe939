/* The texts that rules are made of, for the schema and for what is written as an object. */

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const rulePatterns = {
  /** It is told in logs and in a header: no control characters, none at the ends that would get lost. */
  name: /^[^\p{C}\p{Z}](?:[^\p{C}]{0,98}[^\p{C}\p{Z}])?$/u,
  path: /^\/v1(?:\/[^?#\s]*)?$/,
  key: /^[A-Za-z0-9._~+/*-]+=*$/,
  code: /^[A-Za-z0-9._-]{1,100}$/,
} as const

/** A field name (RFC 9110, section 5.1), and a value that any client reads alike. */
export const headerNamePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
export const headerValuePattern = /^(?:[!-~](?:[ -~\t]*[!-~])?)?$/
