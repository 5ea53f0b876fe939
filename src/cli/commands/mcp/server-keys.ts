import type { Ask } from '../../../library/client/ask-plane.ts'
import { PetMockError } from '../../../library/client/pet-mock-error.ts'
import { createKeyMask, createSecrets, isMasked } from '../../../service/keys/mask.ts'

/** The API keys of a server, and the labels by which its outputs show them. */
export interface ServerKeys {
  /** The key with a label such as `demo-f…`, or the text itself if it is no label. Rejects with a PetMockError. */
  readonly find: (labelOrKey: string) => Promise<string>
  /** Reads the keys, and resolves with what masks them, and `more`, which may be gone. */
  readonly mask: (more?: string) => Promise<KeyMask>
}

export interface KeyMask {
  /** Masks keys within a text. */
  readonly text: (text: string) => string
  /** The label of a key. */
  readonly key: (key: string) => string
}

export const noMask: KeyMask = { text: text => text, key: key => key }

interface Keys {
  readonly keys: readonly { readonly key: string }[]
}

/** The fewest characters of a key that is masked within other texts, as in the outputs of the server. */
const shortest = 8

export function createServerKeys(ask: Ask): ServerKeys {
  const read = async () => {
    const [shown, masked] = await Promise.all([
      ask<Keys>('GET', '/keys'),
      ask<Keys>('GET', '/keys', undefined, { keys: 'masked' }),
    ])
    return new Map(shown.keys.map(({ key }, at) => [key, masked.keys[at]?.key ?? maskAlone(key)]))
  }
  return {
    find: async text => {
      if (!isMasked(text)) return text
      const [, label = text, sandbox = ''] = /^(.*…(?:#[\d+]+)?)(\+[\w.-]{1,64})$/.exec(text) ?? []
      const found = [...(await read())].filter(([, known]) => known === label)
      const [key] = found[0] ?? []
      if (key !== undefined && found.length === 1) return `${key}${sandbox}`
      throw new PetMockError('not_found', `No key of this sandbox is ${label}. get_status lists its keys.`)
    },
    mask: async more => {
      const labels = await read()
      if (more !== undefined && !labels.has(more)) labels.set(more, maskAlone(more))
      const words = [...labels.keys()].filter(key => key.length >= shortest)
      const text = createKeyMask(words, { maskKey: key => labels.get(key) ?? maskAlone(key) })
      return { text, key: key => labels.get(key) ?? key }
    },
  }
}

/** The label of a key that the server does not know. */
function maskAlone(key: string): string {
  return createSecrets().maskKey(key)
}
