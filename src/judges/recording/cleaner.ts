import { shippedFixtures } from '../../control/fixtures/fixtures.ts'
import { readTarget } from '../../service/call/target.ts'
import { createKeyMask, type Secrets } from '../../service/keys/mask.ts'
import { decode, isSecretParameter, maskText } from '../../service/keys/mask-text.ts'
import type { SeenCall } from './seen-call.ts'
import { malformedKey } from './seen-credential.ts'

export type Cleaner = ReturnType<typeof createCleaner>

/** Keys of one recording. */
export const mostKeys = 100

/** The key of calls whose archive has no keys. */
const assumedKey = 'key-1'

/** Takes secrets out of calls: keys become pseudonyms, values of secret names become masks. */
export function createCleaner(calls: readonly SeenCall[], secrets: Secrets) {
  const names = pseudonymsOf(calls)
  const mask = createKeyMask(names.keys(), { ...secrets, maskKey: key => names.get(key) ?? assumedKey })
  return {
    /** The pseudonym of a call's key; undefined if there are too many keys. */
    keyOf: ({ key, answer }: SeenCall): string | null | undefined => {
      if (key === null || (key === undefined && answer.status === 401)) return null
      if (key === malformedKey) return key
      return key === undefined ? assumedKey : names.get(key)
    },
    text: mask,
    body: (text: string): string => maskText(mask(text), { ...secrets, isKnown: () => false }),
    /** A request target without parameters that hold a secret. */
    target: (target: string, onSecret: (name: string) => void): string => {
      const { path, query } = readTarget(target)
      const kept = query.split('&').filter(pair => {
        const name = decode(pair.split('=', 1)[0] ?? '')
        const isSecret = isSecretParameter(name, secrets)
        if (isSecret) onSecret(name)
        return !isSecret
      })
      const whole = kept.join('&') === '' ? path : `${path}?${kept.join('&')}`
      // A walkthrough would take this for a saved value.
      return mask(whole).replaceAll('${', '%24{')
    },
  }
}

/** A name for each key. The shipped keys are public, and stay. */
function pseudonymsOf(calls: readonly SeenCall[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const accepted = new Set(calls.filter(({ answer }) => answer.status !== 401).map(({ key }) => key))
  let [known, unknown] = [accepted.has(undefined) ? 1 : 0, 0]
  for (const { key } of calls) {
    if (typeof key !== 'string' || key === malformedKey || names.has(key) || names.size >= mostKeys) continue
    if (Object.hasOwn(shippedFixtures.keys, key)) names.set(key, key)
    else if (accepted.has(key)) {
      known += 1
      names.set(key, `key-${known}`)
    } else {
      unknown += 1
      names.set(key, `unknown-key-${unknown}`)
    }
  }
  return names
}
