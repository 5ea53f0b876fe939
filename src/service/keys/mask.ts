import { copyText } from '../../base/text/copy-text.ts'

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
  const pattern = new RegExp([stems, ...names.flatMap(name => wordsOf(name).slice(0, 1))].join('|'), 'i')
  return {
    isSecret: names.length === 0 ? isListed : createNameTest(names),
    isListed,
    mayHold: text => pattern.test(text),
    // Enough of a key to recognize it, too little to use it.
    maskKey: key => label(key, key.slice(0, Math.max(1, Math.min(6, key.length - 2))), mostKeyLabels),
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

/** Words that make the value of a header, parameter, field or cookie secret. Those without a space must be one word of the name. */
const secretWords: ReadonlySet<string> = new Set(
  [
    'token secret password passwd pwd passphrase passcode signature sig cookie jwt bearer authorization credential credentials',
    'pass pin pat sid csrf xsrf otp assertion dpop sessionid sessid phpsessid jsessionid',
    // Some names are written without a separator.
    'apikey accesskey secretkey privatekey authkey accesstoken authtoken refreshtoken idtoken sessiontoken clientsecret',
  ].flatMap(line => line.split(' ')),
)

/** A key is secret after one of these words. An `Idempotency-Key` or a `sort_key` is not. */
const secretKeys: ReadonlySet<string> = new Set(
  'access account admin api app application auth client consumer encryption function functions hmac license master private secret service session shared signing ssh storage subscription webhook'.split(
    ' ',
  ),
)

/** A token after one of these words is a place in a list. */
const placeInList: ReadonlySet<string> = new Set(
  'page next prev previous continuation cursor pagination'.split(' '),
)

/** A name that ends in one of these words describes a secret: `token_type`, `expires_in`. */
const descriptions: ReadonlySet<string> = new Set(
  'type count expires expiry endpoint limit name length policy algorithm alg method version at in'.split(' '),
)

/** Part of every name on the list. `\u` and `%` may write any letter. */
const stems =
  'tok|secr|pass|pwd|sig|cookie|jwt|bearer|auth|cred|[cx]srf|otp|assert|dpop|sess|key|pin|pat(?!h)|sid|code=|\\\\u00|%[4-7]'

/** Splits a name at everything that is no letter and no digit, and where camel case begins a word: `X-AuthToken`, `apiKey2`. */
export function wordsOf(name: string): readonly string[] {
  const spaced = name
    .replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])|([A-Za-z])(?=[0-9])/g, '$& ')
    .toLowerCase()
  return spaced.split(/[^\p{L}\p{N}]+/u).filter(word => word !== '')
}

/** Whether the value that has this name is secret, by the list and by further names, such as those of --mask. */
export function createNameTest(further: readonly string[]): (name: string) => boolean {
  const added = further.map(wordsOf).filter(words => words.length > 0)
  const known = new Map<string, boolean>()
  const test = (name: string): boolean => {
    const words = wordsOf(name)
    const isAdded = added.some(
      wanted => holds(words, wanted) && (wanted.length === words.length || !isNever(words)),
    )
    return isAdded || isListed(words)
  }
  return name => {
    const before = known.get(name)
    if (before !== undefined) return before
    const isSecret = test(name)
    if (known.size < mostKnown && name.length <= 100) known.set(copyText(name), isSecret)
    return isSecret
  }
}

/** Calls repeat the same names. */
const mostKnown = 1_000

function isListed(words: readonly string[]): boolean {
  const last = words.at(-1) ?? ''
  if (isNever(words) || descriptions.has(last)) return false
  if (last === 'auth' || last === 'session') return true
  return words.some((word, at) => {
    const before = words[at - 1] ?? ''
    if (word === 'key') return secretKeys.has(before)
    if (word === 'id') return before === 'session'
    return secretWords.has(word)
  })
}

/** Names that stay readable, because judges and people need their values. */
function isNever(words: readonly string[]): boolean {
  return (
    words.join('').startsWith('secwebsocket') ||
    holds(words, ['idempotency', 'key']) ||
    words.at(-1) === 'cursor' ||
    words.some((word, at) => word === 'token' && placeInList.has(words[at - 1] ?? ''))
  )
}

function holds(words: readonly string[], wanted: readonly string[]): boolean {
  return words.some((_, at) => wanted.every((word, offset) => words[at + offset] === word))
}
