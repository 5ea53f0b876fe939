import type { Exchange } from '../../emulator/journal/exchange.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import type { Call } from '../../service/call/call.ts'
import { readQuery } from '../../service/call/query.ts'
import { readTarget } from '../../service/call/target.ts'
import type { Secrets } from '../../service/keys/mask.ts'
import { decode, isSecretParameter, maskText, type TextMask } from '../../service/keys/mask-text.ts'
import { maskHeader } from './mask-header.ts'
import { createReplacer } from './replace-secrets.ts'

/** Shows a text of an exchange: unchanged, or with its secrets masked. */
export type ShowText = (text: string) => string

/** How an output shows the parts of an exchange. */
export interface Show {
  /** Any text about the exchange, a body included. */
  readonly text: ShowText
  /** The request target, or a part of it. Cheaper than `text`: it does not read the bodies. */
  readonly target: ShowText
  readonly header: (name: string, value: string) => string
  /** A decoded query parameter. */
  readonly parameter: (name: string, value: string) => string
}

export const showAsIs: Show = {
  text: text => text,
  target: text => text,
  header: (_name, value) => value,
  parameter: (_name, value) => value,
}

/**
 * Masks the secrets of an exchange in its texts: by the names of headers, parameters and fields, and wherever their values
 * or known keys occur. A known key keeps the name of its sandbox.
 */
export function conceal(exchange: Exchange, secrets: Secrets, isKey: (text: string) => boolean): Show {
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
    for (const headers of [call.headers, Object.entries(reply.headers).flat()])
      for (let at = 0; at < headers.length; at += 2)
        maskHeader(headers[at] ?? '', headers[at + 1] ?? '', mask)
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
function isPlain(target: string, isKey: (text: string) => boolean, { mayHold }: Secrets): boolean {
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
function createMask(exchange: Exchange, secrets: Secrets, isKey: (text: string) => boolean) {
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
    label,
    mask: remember(false),
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
function maskSecret(
  { trace: { key } }: Exchange,
  secret: string,
  secrets: Secrets,
  isKey: (text: string) => boolean,
) {
  if (secret === key || isKey(secret)) return secrets.maskKey(secret)
  const base = withoutSandbox(secret)
  const isInSandbox = base !== '' && (base === key || isKey(base))
  return isInSandbox ? secrets.maskKey(base) + secret.slice(base.length) : secrets.mask(secret)
}

function withoutSandbox(text: string): string {
  return text.slice(0, Math.max(0, text.lastIndexOf('+')))
}
