/** Shorter secrets are only replaced as whole words, because they occur in other texts by chance. */
const shortestWithin = 8

/** More secrets in one exchange are masked in their places only. */
const mostElsewhere = 64

/** Remembers secrets with their masks, and replaces them in texts. */
export function createReplacer() {
  const masks = new Map<string, string>()
  let sorted: readonly (readonly [string, string])[] = []
  return {
    /** `isCredential`: also replaced if it is short. */
    add: (secret: string, mask: string, isCredential: boolean): void => {
      if (secret === '' || secret === mask || masks.size >= mostElsewhere) return
      if (isCredential || secret.length >= shortestWithin) masks.set(secret, mask)
    },
    replaceIn: (text: string): string => {
      // The longest first, because a key may begin with another.
      if (sorted.length !== masks.size)
        sorted = [...masks].sort(([one], [other]) => other.length - one.length)
      return sorted.reduce((shown, [secret, mask]) => replaceSecret(shown, secret, mask), text)
    },
  }
}

function replaceSecret(text: string, secret: string, mask: string): string {
  if (!text.includes(secret)) return text
  if (secret.length >= shortestWithin) return text.replaceAll(secret, () => mask)
  const alone = new RegExp(`(^|[\\s=])${secret.replace(/[^A-Za-z0-9]/g, '\\$&')}(?=$|[\\s&;,>])`, 'g')
  return text.replace(alone, (_all, before: string) => before + mask)
}
