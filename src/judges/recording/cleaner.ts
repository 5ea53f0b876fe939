import { shippedFixtures } from '../../control/fixtures/fixtures.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { readTarget } from '../../service/call/target.ts'
import { createKeyMask, type Secrets } from '../../service/keys/mask.ts'
import { decode, isSecretParameter, maskText } from '../../service/keys/mask-text.ts'
import { malformedKey, seenKey } from '../exchanges/seen-trace.ts'
import { byName } from '../exchanges/texts.ts'

export type Cleaner = ReturnType<typeof createCleaner>

/** Keys of one recording. */
export const mostKeys = 100

/** The key of calls whose archive has no keys. */
const assumedKey = 'key-1'

/** Replaces keys by pseudonyms, and masks secrets. `hidesKeys`: calls had keys, the recording has none. */
export function createCleaner(exchanges: readonly Exchange[], secrets: Secrets, hidesKeys: boolean) {
  const names = pseudonymsOf(exchanges)
  const mask = createKeyMask(names.keys(), { ...secrets, maskKey: key => names.get(key) ?? assumedKey })
  return {
    /** The pseudonym of a call's key; undefined if there are too many keys. */
    keyOf: (exchange: Exchange): string | null | undefined => {
      if (hidesKeys) return exchange.reply.status === 401 ? null : assumedKey
      const key = keyOf(exchange)
      return key === null || key === malformedKey ? key : names.get(key)
    },
    text: mask,
    body: (text: string): string => maskText(mask(text), { ...secrets, isKnown: () => false }),
    /** A request target without parameters that hold a secret. */
    target: (target: string, onSecret: (name: string) => void): string => {
      const { path, query } = readTarget(target)
      const kept = query.split('&').filter(pair => {
        const name = decode(pair.split('=', 1)[0] ?? '')
        const isSecret = isSecretParameter(name, decode(pair.slice(pair.indexOf('=') + 1)), secrets)
        if (isSecret) onSecret(name)
        return !isSecret
      })
      const whole = kept.join('&') === '' ? path : `${path}?${kept.join('&')}`
      // A walkthrough would take this for a saved value.
      return mask(whole).replaceAll('${', '%24{')
    },
  }
}

function keyOf({ call }: Exchange): string | null {
  return seenKey(byName(call.headers).authorization)
}

/** A name for each key. The shipped keys are public, and stay. */
function pseudonymsOf(exchanges: readonly Exchange[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const accepted = new Set(exchanges.filter(({ reply }) => reply.status !== 401).map(keyOf))
  let [known, unknown] = [0, 0]
  for (const exchange of exchanges) {
    const key = keyOf(exchange)
    if (key === null || key === malformedKey || names.has(key) || names.size >= mostKeys) continue
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
