import { copyText } from '../../base/text/copy-text.ts'

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

/** Returns a function that is false for texts without any secret name. */
export function createStemTest(further: readonly string[]): (text: string) => boolean {
  const added = further.flatMap(name => wordsOf(name).slice(0, 1))
  const pattern = new RegExp([stems, ...added].join('|'), 'i')
  return text => pattern.test(text)
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
