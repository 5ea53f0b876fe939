import { readJson } from '../../base/json/read.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import type { Call, Reply } from '../../service/call/call.ts'
import { readCredential } from '../../service/keys/credential.ts'
import type { Secrets } from '../../service/keys/mask.ts'
import { maskText } from '../../service/keys/mask-text.ts'
import { isPetStatus } from '../../service/pets/pet.ts'
import { bodyText } from '../exchanges/texts.ts'
import type { BoxCall } from './box.ts'
import type { KeyNames } from './key-names.ts'

/** Beyond this number of hidden values no response is compared. */
const mostHidden = 1_000

/** Takes secrets out of calls. The keys' names come in last, with the whole line. */
export function createCallMask(secrets: Secrets, keys: KeyNames) {
  /** What responses may show, though the box has something else. */
  const hidden = new Set<string>()
  const hide = (value: string): string => {
    hidden.add(value)
    return secrets.mask(value)
  }
  const names = { isSecret: secrets.isSecret, isKnown: () => false, mask: hide }
  const text = (whole: string) => (secrets.mayHold(whole) ? maskText(whole, names) : whole)

  const standIn = (value: JsonValue, isSecret: boolean): JsonValue => {
    if (typeof value === 'string') return isSecret && !isPetStatus(value) ? hide(value) : value
    if (typeof value === 'number' || typeof value === 'bigint') {
      if (isSecret) hidden.add(`${value}`)
      return isSecret ? 1 : value
    }
    if (Array.isArray(value)) return value.map(item => standIn(item, isSecret))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, standIn(item, isSecret || secrets.isSecret(name))]),
    )
  }
  const maskBody = (body: Uint8Array): Pick<BoxCall, 'body' | 'base64'> => {
    const known = bodyText(body)
    const whole = known ?? ''
    if (known === undefined || !isSameBytes(body, whole)) return { base64: toBase64(body) }
    if (!secrets.mayHold(whole)) return { body: whole }
    const reading = readJson(whole)
    if (!('value' in reading)) return { body: text(whole) }
    const size = hidden.size
    const stood = standIn(reading.value, false)
    return {
      body: hidden.size === size && writeJson(stood) === writeJson(reading.value) ? whole : writeJson(stood),
    }
  }
  return {
    text,
    command: (command: object): object => standIn(command as JsonValue, false) as object,
    headers: (list: readonly string[]): readonly string[] =>
      list.map((value, index) => {
        const name = index % 2 === 1 ? (list[index - 1] ?? '').toLowerCase() : undefined
        if (name === undefined) return value
        if (name === 'authorization') return maskAuthorization(value)
        return secrets.isSecret(name)
          ? secrets.mask(value)
          : maskText(value, { ...names, mask: secrets.mask })
      }),
    call: (
      { target, body }: Call,
      headers: readonly string[],
    ): {
      readonly isCompared: boolean
      readonly target: string
      readonly body: Pick<BoxCall, 'body' | 'base64' | 'tooLarge'>
    } => {
      const shown = text(target)
      const credential = keys.hasNames() ? readCredential(headers) : undefined
      const isLike = credential?.kind !== 'key' || !keys.isUnlike(credential.text.replace(/\+[^+]*$/, ''))
      if (body === undefined) return { isCompared: isLike, target: shown, body: {} }
      if (body === 'too-large') return { isCompared: isLike, target: shown, body: { tooLarge: true } }
      return { isCompared: isLike, target: shown, body: maskBody(body) }
    },
    /** Whether a response shows nothing that the box hides. */
    mayCompare: ({ headers, body = '' }: Reply): boolean => {
      if (hidden.size > mostHidden) return false
      const whole = hidden.size > 0 || keys.hasNames() ? `${JSON.stringify(headers)}\n${body}` : ''
      return keys.replaceIn(whole) === whole && ![...hidden].some(value => whole.includes(value))
    },
  }
}

/** A credential that is no key, of the same class. */
function maskAuthorization(value: string): string {
  const { kind } = readCredential(['authorization', value])
  if (kind === 'key') return value
  if (kind === 'malformed') return /^bearer$/i.test(value.trim()) ? value : 'Bearer …'
  return `${/^[\w-]+(?= )/.exec(value)?.[0] ?? ''} …`.trim()
}

function isSameBytes(body: Uint8Array, text: string): boolean {
  const bytes = new TextEncoder().encode(text)
  return bytes.length === body.length && bytes.every((byte, index) => byte === body[index])
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
