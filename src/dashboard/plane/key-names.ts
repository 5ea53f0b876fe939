import { shippedKeys } from '../../generated/plane-operations.ts'

type Names = readonly (readonly [masked: RegExp, key: string])[]

/**
 * Writes the shipped keys whole in answers of the server, which masks every key: these are no secrets. `readKeys` reads the keys of
 * the server, masked or not, in one order.
 */
export function createKeyNames(readKeys: (keys: 'shown' | 'masked') => Promise<string>) {
  let names: Promise<Names> | undefined
  const load = async (): Promise<Names> => {
    const [shown = [], masked = []] = (await Promise.all([readKeys('shown'), readKeys('masked')])).map(keysIn)
    return shown.flatMap((key, index) => {
      const label = masked[index]
      return label === undefined || !shippedKeys.includes(key) ? [] : [[patternOf(label), key] as const]
    })
  }
  return {
    /** Another run of the server may mask in another way. */
    forget: () => {
      names = undefined
    },
    write: async (text: string): Promise<string> => {
      if (!text.includes('…')) return text
      names ??= load()
      try {
        return (await names).reduce((result, [masked, key]) => result.replace(masked, key), text)
      } catch {
        names = undefined
        return text
      }
    },
  }
}

function keysIn(text: string): readonly string[] {
  return JSON.parse(text).keys.map(({ key }: { readonly key: string }) => key)
}

/** `demo-f…`, and not the end of another word, or `demo-f…#2`, which is another key. */
function patternOf(label: string): RegExp {
  return new RegExp(`(?<![\\w.~-])${label.replace(/[^\w…#]/g, '\\$&')}(?![#\\d])`, 'g')
}
