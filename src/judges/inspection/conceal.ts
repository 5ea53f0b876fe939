import type { Exchange } from '../../emulator/journal/exchange.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import type { Call } from '../../service/call/call.ts'
import { readQuery } from '../../service/call/query.ts'
import { readTarget } from '../../service/call/target.ts'
import { maskKey } from '../../service/keys/mask.ts'

/** How what is told of an exchange shows its texts: as they are, or with the keys in them masked. */
export type ShowText = (text: string) => string

export const showAsIs: ShowText = text => text

/** Headers and parameters that hold a secret, whether or not it is a key that is known here. */
const secretHeaders = /^(?:authorization|proxy-authorization|(?:x-)?api-?key|cookie)$/i
const secretParameters = /^(?:(?:x-)?api[-_]?key|key|(?:access[-_]?)?token|auth(?:orization)?)$/i

/** Shorter keys are masked where they stand by themselves; within other texts they would be found by chance. */
const shortestWithin = 8

/**
 * Masks the keys of an exchange wherever it shows them: what its headers and its query name as secret, and every key
 * that `isKey` knows. A key that is known keeps the name of its sandbox.
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
  // The longer first: a key may begin with another.
  const known = [...masks].sort(([one], [other]) => other.length - one.length)
  return text => known.reduce((shown, [secret, mask]) => replaceSecret(shown, secret, mask), text)
}

/** Whether a call shows a key in its query, where it is no key (A02) and stays in logs. */
export function holdsKeyInQuery({ target }: Pick<Call, 'target'>, isKey: (text: string) => boolean): boolean {
  const { query } = readTarget(target)
  if (query === '') return false
  return readQuery(query).some(
    ({ name, value = '' }) => value !== '' && (secretParameters.test(name) || isKnown(value, isKey)),
  )
}

/** A key as people are shown it: `demo-f…`, or `demo-f…+worker-3` in a sandbox of its own; `text` says whether masked. */
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
