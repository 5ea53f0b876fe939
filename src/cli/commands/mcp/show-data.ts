import type { Ask } from '../../../library/client/ask-plane.ts'
import { PetMockError } from '../../../library/client/pet-mock-error.ts'
import { createKeyMask, createSecrets, isMasked } from '../../../service/keys/mask.ts'
import { printable } from '../../terminal/text.ts'

/** The most bytes of one text, and of a whole response. */
const longestText = 2_048
const longestAnswer = 65_536

/**
 * An answer for an agent: every text is masked, its control characters are escaped, and it is cut. What does not fit into the whole is
 * left out, and `cut` says so.
 */
export function showData(answer: object, mask: KeyMask): Readonly<Record<string, unknown>> {
  let left = longestAnswer
  let isCut = false
  const showText = (text: string) => {
    const shown = cutText(printable(mask.text(text)))
    left -= Buffer.byteLength(shown)
    return shown
  }
  const show = (value: unknown): unknown => {
    left -= 4
    if (typeof value === 'string') return showText(value)
    return typeof value === 'object' && value !== null ? showParts(value) : value
  }
  const showParts = (value: object): object => {
    const shown: (readonly [string, unknown])[] = []
    for (const [name, inner] of Object.entries(value)) {
      isCut ||= left <= 0
      if (isCut) break
      const isKey = name === 'key' && typeof inner === 'string'
      // Names of headers come from clients, too.
      shown.push([Array.isArray(value) ? name : showText(name), show(isKey ? mask.key(inner) : inner)])
    }
    return Array.isArray(value) ? shown.map(([, inner]) => inner) : Object.fromEntries(shown)
  }
  const shown = showParts(answer)
  const note = `The response is longer than ${longestAnswer / 1_024} KiB. The rest is left out: ask for less.`
  return isCut ? { ...shown, cut: note } : { ...shown }
}

function cutText(text: string): string {
  const bytes = Buffer.byteLength(text)
  if (bytes <= longestText) return text
  // A character that the cut would split is left out.
  const start = Buffer.from(text)
    .subarray(0, longestText)
    .toString()
    .replace(/\ufffd$/, '')
  return `${start} [cut, ${bytes} bytes]`
}

/** The API keys of a server, and the labels by which its outputs show them. */
export type ServerKeys = ReturnType<typeof createServerKeys>

interface KeyMask {
  readonly text: (text: string) => string
  readonly key: (key: string) => string
}

export const noMask: KeyMask = { text: text => text, key: key => key }

/** The fewest characters of a key that is masked within other texts, as in the outputs of the server. */
const shortest = 8

export function createServerKeys(ask: Ask) {
  const read = async () => {
    const [shown, masked] = await Promise.all([ask('listKeys'), ask('listKeys', { keys: 'masked' })])
    return new Map(shown.keys.map(({ key }, at) => [key, masked.keys[at]?.key ?? maskAlone(key)]))
  }
  return {
    /** The key with a label such as `demo-f…`, or the text itself if it is no label. Rejects with a PetMockError. */
    find: async (text: string): Promise<string> => {
      if (!isMasked(text)) return text
      const [, label = text, sandbox = ''] = /^(.*…(?:#[\d+]+)?)(\+[\w.-]{1,64})$/.exec(text) ?? []
      const found = [...(await read())].filter(([, known]) => known === label)
      const [key] = found[0] ?? []
      if (key !== undefined && found.length === 1) return `${key}${sandbox}`
      throw new PetMockError('not_found', `No key of this sandbox is ${label}. get_status lists its keys.`)
    },
    /** Reads the keys, and resolves with what masks them, and `more`, which may be gone. */
    mask: async (more?: string): Promise<KeyMask> => {
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
