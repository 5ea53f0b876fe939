import { copyText } from '../../base/text/copy-text.ts'
import { createNameTest, createStemTest } from './secret-names.ts'

/** What counts as secret, and how outputs show it. One for a server, so that all its outputs show the same labels. */
export interface Secrets {
  /** Whether the value of a header, parameter, field or cookie with this name is secret. */
  readonly isSecret: (name: string) => boolean
  /** The same by the shipped list alone. The names of `--mask` say what to hide, and not what clients may send. */
  readonly isListed: (name: string) => boolean
  /** False if a text holds none of these names. A quick look, for long bodies. */
  readonly mayHold: (text: string) => boolean
  /** A key of the API: `demo-f…`, and a second one that begins alike `demo-f…#2`. */
  readonly maskKey: (key: string) => string
  /** Any other secret. It shows less of a short one: a password of 8 characters shows 2. */
  readonly mask: (secret: string) => string
}

/** Labels to remember. Later secrets share the number `+`; keys have room of their own. */
const mostLabels = 10_000
const mostKeyLabels = 20_000

/** `names`: further names whose values are secret. */
export function createSecrets(names: readonly string[] = []): Secrets {
  const label = createLabels()
  const isListed = createNameTest([])
  return {
    isSecret: names.length === 0 ? isListed : createNameTest(names),
    isListed,
    mayHold: createStemTest(names),
    maskKey: key => label(key, prefixOfKey(key), mostKeyLabels),
    mask: secret => label(secret, secret.slice(0, Math.min(6, Math.floor(secret.length / 4))), mostLabels),
  }
}

function createLabels() {
  const seen = new Map<string, Map<string, number>>()
  let count = 0
  return (secret: string, prefix: string, most: number): string => {
    // A text may pass through several masks.
    if (secret === '' || isMasked(secret)) return secret
    const alike = seen.get(prefix) ?? new Map<string, number>()
    const id = identityOf(secret)
    let number = alike.get(id)
    if (number === undefined) {
      if (count >= most) return `${prefix}…#+`
      count += 1
      number = alike.size + 1
      alike.set(copyText(id), number)
      seen.set(prefix, alike)
    }
    return number === 1 ? `${prefix}…` : `${prefix}…#${number}`
  }
}

export function isMasked(text: string): boolean {
  return text.length < 40 && /…(?:#(?:\d+|\+))?(?:\+[\w.-]{1,64})?$/.test(text)
}

/** A long secret is remembered by its length, a hash (FNV-1a) and its end. */
function identityOf(secret: string): string {
  if (secret.length <= 64) return secret
  let hash = 0x811c9dc5
  for (let at = 0; at < secret.length; at += 1) hash = Math.imul(hash ^ secret.charCodeAt(at), 0x01000193)
  return `${secret.length} ${hash >>> 0} ${secret.slice(-16)}`
}

/** Enough of a key to recognize it, too little to use it. */
function prefixOfKey(key: string): string {
  return key.slice(0, Math.max(1, Math.min(6, key.length - 2)))
}

/**
 * Masks these keys wherever a text has one as a whole word, percent-encoded or not. Some clients send a key in the query
 * (A02), which logs would show.
 */
export function createKeyMask(
  keys: Iterable<string>,
  { maskKey }: Pick<Secrets, 'maskKey'>,
): (text: string) => string {
  const byWord = new Map([...keys].flatMap(key => [key, encodeURIComponent(key)].map(word => [word, key])))
  // Longest first: one key may begin with another.
  const words = [...byWord.keys()].sort((a, b) => b.length - a.length)
  if (words.length === 0) return text => text
  const alternatives = words.map(word => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')
  const pattern = new RegExp(`(?<![A-Za-z0-9._~-])(?:${alternatives})(?![A-Za-z0-9._~-])`, 'g')
  return text => text.replace(pattern, word => maskKey(byWord.get(word) ?? word))
}
