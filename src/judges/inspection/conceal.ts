import type { Exchange } from '../../emulator/journal/exchange.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import type { Call } from '../../service/call/call.ts'
import { pairsOf } from '../../service/call/headers.ts'
import { readQuery, readTarget } from '../../service/call/target.ts'
import type { Secrets } from '../../service/keys/mask.ts'
import { decode, isSecretParameter, maskText, type TextMask } from '../../service/keys/mask-text.ts'

/** Shows a text of an exchange: unchanged, or with its secrets masked. */
export type ShowText = (text: string) => string

type IsKey = (text: string) => boolean

/** How an output shows the parts of an exchange. */
export interface Show {
  /** Any text about the exchange, a body included. */
  readonly text: ShowText
  /** The request target, or a part of it. Cheaper than `text`: it does not read the bodies. */
  readonly target: ShowText
  readonly header: (name: string, value: string) => string
  readonly parameter: (name: string, value: string) => string
}

export const showAsIs: Show = {
  text: text => text,
  target: text => text,
  header: (_name, value) => value,
  parameter: (_name, value) => value,
}

/** Masks secrets by names, and wherever their values or known keys occur. A known key keeps its sandbox. */
export function conceal(exchange: Exchange, secrets: Secrets, isKey: IsKey): Show {
  // Most lines of a log need no mask.
  let made: ReturnType<typeof createMask> | undefined
  const maskOf = () => {
    made ??= createMask(exchange, secrets, isKey)
    return made
  }
  const { call, reply, trace } = exchange
  let isHeadRead = false
  let areBodiesRead = false
  const readHead = () => {
    if (isHeadRead) return
    isHeadRead = true
    const mask = maskOf()
    if (trace.key !== undefined) mask.credential(trace.key)
    for (const [name, value] of [...pairsOf(call.headers), ...Object.entries(reply.headers)])
      maskHeader(name, value, mask)
    maskText(call.target, mask)
  }
  const readBodies = () => {
    readHead()
    if (areBodiesRead) return
    areBodiesRead = true
    for (const body of [decodeBody(call), reply.body])
      if (body !== undefined) maskInPlace(body, maskOf(), secrets)
  }
  const show = (text: string) => maskOf().replaceIn(maskInPlace(text, maskOf(), secrets))
  return {
    text: text => {
      readBodies()
      return show(text)
    },
    target: text => {
      if (isPlain(text, isKey, secrets)) return text
      readHead()
      return show(text)
    },
    header: (name, value) => {
      readHead()
      const masked = maskHeader(name, value, maskOf())
      return masked === value ? show(value) : masked
    },
    parameter: (name, value) => {
      readHead()
      if (value === '') return value
      const mask = maskOf()
      return isSecretParameter(name, value, mask) || mask.isKnown(value) ? mask.mask(value) : show(value)
    },
  }
}

/** Most targets hold nothing that could be secret. This look keeps their log cheap. */
function isPlain(target: string, isKey: IsKey, { mayHold }: Secrets): boolean {
  const text = target.replace(/(?<=[?&]cursor=)[\w-]*/, '')
  if (/[\w.~+-]{8,}|[@%:]/.test(text) || mayHold(text)) return false
  return !target
    .split(/[/?&=]/)
    .some(part => isKey(part) || (part.includes('+') && isKey(withoutSandbox(part))))
}

/** Texts up to this length are always read. In longer ones, the names of secrets are looked for first. */
const short = 1_000

function maskInPlace(text: string, mask: TextMask, { mayHold }: Secrets): string {
  return text.length <= short || mayHold(text) ? maskText(text, mask) : text
}

/** Remembers each secret that it masks, so that `replaceIn` finds it in other texts. */
function createMask(exchange: Exchange, secrets: Secrets, isKey: IsKey) {
  const replacer = createReplacer()
  const isKnown = (text: string) => isKey(text) || isKey(withoutSandbox(text))
  const label = (secret: string) => maskSecret(exchange, secret, secrets, isKey)
  const remember = (isCredential: boolean) => (secret: string) => {
    const shown = label(secret)
    replacer.add(secret, shown, isCredential)
    return shown
  }
  const maskWord = (word: string) => (isKnown(decode(word)) ? label(decode(word)) : word)
  // A key may hold these signs, or stand between them: in a path, or at the end of a sentence.
  const maskWords = (words: string) => {
    const shown = maskWord(words)
    return shown === words ? words.replace(/[^/=.]{8,}/g, maskWord) : shown
  }
  return {
    isSecret: secrets.isSecret,
    isKnown,
    /** Replaces a value that is only secret in this place. */
    label,
    mask: remember(false),
    /** Replaces a secret that identifies its caller. Other texts hide it even if it is short. */
    credential: remember(true),
    /** Also replaces known keys, unless they are so short that they occur by chance. */
    replaceIn: (text: string) => replacer.replaceIn(text).replace(/[\w.~+/=%-]{8,}/g, maskWords),
  }
}

/** True if the query holds a key, which the service ignores there (A02) and logs keep. */
export function holdsKeyInQuery(
  { target }: Pick<Call, 'target'>,
  mask: Pick<TextMask, 'isSecret' | 'isKnown'>,
): boolean {
  const { query } = readTarget(target)
  if (query === '') return false
  return readQuery(query).some(
    ({ name, value = '' }) => value !== '' && (isSecretParameter(name, value, mask) || mask.isKnown(value)),
  )
}

/** `demo-f…`, or `demo-f…+worker-3` with a sandbox. `text` decides whether it is masked. */
export function showKey(key: string, sandbox: string, text: ShowText): string {
  return text(sandbox === defaultSandbox ? key : `${key}+${sandbox}`)
}

/** Invalid UTF-8 becomes U+FFFD. */
export function decodeBody({ body }: Pick<Call, 'body'>): string | undefined {
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : undefined
}

/** A key of this service keeps its sandbox. */
function maskSecret({ trace: { key } }: Exchange, secret: string, secrets: Secrets, isKey: IsKey) {
  if (secret === key || isKey(secret)) return secrets.maskKey(secret)
  const base = withoutSandbox(secret)
  const isInSandbox = base !== '' && (base === key || isKey(base))
  return isInSandbox ? secrets.maskKey(base) + secret.slice(base.length) : secrets.mask(secret)
}

function withoutSandbox(text: string): string {
  return text.slice(0, Math.max(0, text.lastIndexOf('+')))
}

type HeaderMask = Omit<ReturnType<typeof createMask>, 'replaceIn'>

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

/** Shorter secrets are only replaced as whole words, because they occur in other texts by chance. */
const shortestWithin = 8

/** More secrets in one exchange are masked in their places only. */
const mostElsewhere = 64

/** Remembers secrets with their masks, and replaces them in texts. */
function createReplacer() {
  const masks = new Map<string, string>()
  let sorted: readonly (readonly [string, string])[] = []
  return {
    /** `isCredential`: also replaced if it is short. */
    add: (secret: string, mask: string, isCredential: boolean): void => {
      if (secret === '' || secret === mask || masks.size >= mostElsewhere) return
      if (isCredential || secret.length >= shortestWithin) masks.set(secret, mask)
    },
    replaceIn: (text: string): string => {
      // The longest first, because a key may begin with another.
      if (sorted.length !== masks.size)
        sorted = [...masks].sort(([one], [other]) => other.length - one.length)
      return sorted.reduce((shown, [secret, mask]) => replaceSecret(shown, secret, mask), text)
    },
  }
}

function replaceSecret(text: string, secret: string, mask: string): string {
  if (!text.includes(secret)) return text
  if (secret.length >= shortestWithin) return text.replaceAll(secret, () => mask)
  const alone = new RegExp(`(^|[\\s=])${secret.replace(/[^A-Za-z0-9]/g, '\\$&')}(?=$|[\\s&;,>])`, 'g')
  return text.replace(alone, (_all, before: string) => before + mask)
}
