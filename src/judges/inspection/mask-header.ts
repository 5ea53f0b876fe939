import { maskText, type TextMask } from '../../service/keys/mask-text.ts'

interface HeaderMask extends TextMask {
  /** Replaces a secret that identifies its caller. Other texts hide it even if it is short. */
  readonly credential: (secret: string) => string
  /** Replaces a value that is only secret in this place. */
  readonly label: (value: string) => string
}

const authorizations = /^(?:proxy-)?authorization$/i

/** A scheme and its credentials (RFC 9110, section 11.4). */
const schemed = /^([\w!#$%&'*+.^`|~-]+ +)(?=\S)(.*)$/s

/** The value of a header without its secrets. The scheme of Authorization and the names of cookies stay. */
export function maskHeader(name: string, value: string, mask: HeaderMask): string {
  if (authorizations.test(name)) {
    const [, scheme = '', credentials = value] = schemed.exec(value) ?? []
    return scheme + mask.credential(credentials)
  }
  if (/^cookie$/i.test(name)) return value.replace(/[^;]+/g, cookie => maskCookie(cookie, mask))
  if (/^set-cookie2?$/i.test(name)) return maskSetCookie(value, mask)
  if (mask.isSecret(name) || mask.isKnown(value)) return mask.credential(value)
  return maskText(value, mask)
}

/** A proxy joins several Set-Cookie headers by commas, which their dates have, too. */
function maskSetCookie(value: string, mask: HeaderMask): string {
  const cookies = value.split(/,(?=\s*[^;,\s=]+=)/).map(cookie => {
    const end = cookie.indexOf(';')
    const pair = end === -1 ? cookie : cookie.slice(0, end)
    return maskCookie(pair, mask) + cookie.slice(pair.length)
  })
  return cookies.join(',')
}

/** A cookie of an ordinary name may have any value, such as `dark`: other texts hide only long ones. */
const leastElsewhere = 16

function maskCookie(cookie: string, { isSecret, mask, label }: HeaderMask): string {
  const equals = cookie.indexOf('=')
  const name = cookie.slice(0, equals + 1)
  const [, before = '', value = '', after = ''] =
    /^(\s*"?)(.*?)("?\s*)$/s.exec(cookie.slice(equals + 1)) ?? []
  if (value === '') return cookie
  const shown = isSecret(name) || value.length >= leastElsewhere ? mask(value) : label(value)
  return name + before + shown + after
}
