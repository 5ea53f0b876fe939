import type { Exchange } from '../../emulator/journal/exchange.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import type { Call } from '../../service/call/call.ts'
import { readQuery } from '../../service/call/query.ts'
import { readTarget } from '../../service/call/target.ts'
import { maskKey } from '../../service/keys/mask.ts'

/** Shows a text of an exchange: unchanged, or with the keys masked. */
export type ShowText = (text: string) => string

export const showAsIs: ShowText = text => text

/** Headers and parameters whose value is always masked. */
const secretHeaders = /^(?:authorization|proxy-authorization|(?:x-)?api-?key|cookie)$/i
const secretParameters = /^(?:(?:x-)?api[-_]?key|key|(?:access[-_]?)?token|auth(?:orization)?)$/i

/** Shorter keys are only masked as whole words, because they occur in other texts by chance. */
const shortestWithin = 8

/**
 * Masks every secret of an exchange in its texts: values of secret headers and parameters, and known keys. A known key keeps
 * the name of its sandbox.
 */
export function concealKeys(exchange: Exchange, isKey: (text: string) => boolean): ShowText {
  const masks = new Map<string, string>()
  const add = (secret: string) => {
    if (secret !== '') masks.set(secret, maskSecret(exchange, secret))
  }
  const { headers, target } = exchange.call
  for (let index = 0; index < headers.length; index += 2) {
    const value = headers[index + 1] ?? ''
    if (secretHeaders.test(headers[index] ?? '')) add(/^[A-Za-z-]+ +(.+)$/.exec(value)?.[1] ?? value)
    else if (isKnown(value, isKey)) add(value)
  }
  for (const { name, value = '', raw } of readQuery(readTarget(target).query)) {
    if (!secretParameters.test(name) && !isKnown(value, isKey)) continue
    const sent = raw.slice(raw.indexOf('=') + 1)
    masks.set(raw, raw.slice(0, raw.length - sent.length) + maskSecret(exchange, value))
    if (sent.length >= shortestWithin) add(sent)
    if (value.length >= shortestWithin) add(value)
  }
  // The longest first, because a key may begin with another.
  const known = [...masks].sort(([one], [other]) => other.length - one.length)
  return text => known.reduce((shown, [secret, mask]) => replaceSecret(shown, secret, mask), text)
}

/** True if the query holds a key, which the service ignores there (A02) and logs keep. */
export function holdsKeyInQuery({ target }: Pick<Call, 'target'>, isKey: (text: string) => boolean): boolean {
  const { query } = readTarget(target)
  if (query === '') return false
  return readQuery(query).some(
    ({ name, value = '' }) => value !== '' && (secretParameters.test(name) || isKnown(value, isKey)),
  )
}

/** `demo-f…`, or `demo-f…+worker-3` with a sandbox. `text` decides whether it is masked. */
export function showKey(key: string, sandbox: string, text: ShowText): string {
  const shown = text === showAsIs ? key : maskKey(key)
  return sandbox === defaultSandbox ? shown : `${shown}+${sandbox}`
}

function maskSecret({ trace: { key }, sandbox }: Exchange, secret: string): string {
  if (key !== undefined && secret === `${key}+${sandbox}`) return `${maskKey(key)}+${sandbox}`
  return maskKey(secret)
}

function isKnown(text: string, isKey: (text: string) => boolean): boolean {
  return isKey(text) || isKey(text.slice(0, Math.max(0, text.lastIndexOf('+'))))
}

function replaceSecret(text: string, secret: string, mask: string): string {
  if (secret.length >= shortestWithin || secret.includes('=')) return text.replaceAll(secret, mask)
  const alone = new RegExp(`(^|[\\s=])${secret.replace(/[^A-Za-z0-9]/g, '\\$&')}(?=$|[\\s&;,>])`, 'g')
  return text.replace(alone, (_all, before: string) => before + mask)
}
