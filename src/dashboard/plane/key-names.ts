import { shippedKeys } from '../../generated/plane-operations.ts'

/** Writes the shipped keys whole in answers, which mask every key. `readKeys` reads both lists, in one order. */
export function createKeyNames(readKeys: (keys: 'shown' | 'masked') => Promise<string>) {
  let names: ReturnType<typeof load> | undefined
  const keysIn = (text: string): readonly string[] =>
    JSON.parse(text).keys.map(({ key }: { readonly key: string }) => key)
  const load = async () => {
    const [shown = [], masked = []] = (await Promise.all([readKeys('shown'), readKeys('masked')])).map(keysIn)
    return masked.flatMap((label, index) => {
      const key = shown[index]
      if (key === undefined || !shippedKeys.includes(key)) return []
      // Not the end of another word, and not `demo-f…#2`, which is another key.
      const pattern = new RegExp(`(?<![\\w.~-])${label}(?![#\\d])`, 'g')
      return [(text: string) => text.replace(pattern, key)]
    })
  }
  return {
    /** Another run of the server may mask in another way. */
    forget: () => {
      names = undefined
    },
    write: async (text: string): Promise<string> => {
      if (!text.includes('…')) return text
      names ??= load().catch(() => [])
      return (await names).reduce((result, write) => write(result), text)
    },
  }
}
