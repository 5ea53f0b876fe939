import { BoundedMap } from '../../base/bounded-map.ts'
import { jsonIn } from '../../base/json/read.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { readCredential } from '../../service/keys/credential.ts'
import type { Secrets } from '../../service/keys/mask.ts'
import { maskText } from '../../service/keys/mask-text.ts'
import { isPetStatus } from '../../service/pets/pet.ts'
import { bodyText } from '../exchanges/texts.ts'
import type { BoxCall } from './box.ts'
import type { KeyNames } from './key-names.ts'

/** Beyond this number of hidden values no response is compared. */
const mostHidden = 1_000

/** Texts that are kept, in characters. */
const longest = 500

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
    const value = jsonIn(whole)
    if (value === undefined) return { body: text(whole) }
    const size = hidden.size
    const shown = writeJson(standIn(value, false))
    return { body: hidden.size === size && shown === writeJson(value) ? whole : shown }
  }
  const jsons = new BoundedMap<string, string>(500)
  let jsonAt = 0
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
    /** A text of a call in JSON, with the names of keys. Calls repeat the same ones. */
    json: (whole: string): string => {
      if (jsonAt !== keys.count()) jsons.clear()
      jsonAt = keys.count()
      const known = jsons.get(whole)
      if (known !== undefined) return known
      const json = keys.replaceIn(JSON.stringify(text(whole)))
      if (whole.length < longest) jsons.set(whole, json)
      return json
    },
    body: (body: Uint8Array | 'too-large'): Pick<BoxCall, 'body' | 'base64' | 'tooLarge'> =>
      body === 'too-large' ? { tooLarge: true } : maskBody(body),
    /** Whether a text of a response shows nothing that the box hides. */
    isOpen: (whole: string): boolean =>
      hidden.size <= mostHidden &&
      keys.replaceIn(whole) === whole &&
      ![...hidden].some(value => whole.includes(value)),
    /** Grows with what it hides. */
    size: (): number => keys.count() + hidden.size,
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
