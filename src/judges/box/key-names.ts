import { compileWildcards } from '../../base/text/wildcards.ts'
import { shippedFixtures } from '../../control/fixtures/fixtures.ts'
import { seedOfKey } from '../../emulator/rules/rule-book.ts'
import { splitKey } from '../../emulator/worlds/sandboxes.ts'
import { createKeyMask } from '../../service/keys/mask.ts'

/** Keys shorter than this are replaced only where a text is nothing but the key. */
const shortest = 6

export type KeyNames = ReturnType<typeof createKeyNames>

/**
 * Names for the keys of a run. A name draws like its key, fits the same wildcards of rules, and stays the same. The shipped keys
 * keep theirs.
 */
export function createKeyNames() {
  const names = new Map<string, string>()
  const wildcards = new Map<string, (key: string) => boolean>()
  /** Keys whose names fit other wildcards than the key. */
  const unlike = new Set<string>()
  let replace: ((text: string) => string) | undefined

  const nameFor = (key: string): string => {
    const seed = seedOfKey(key).toString(16).padStart(8, '0')
    const plain = `key-${names.size + 1}-${seed}`
    const isLike = (name: string) => [...wildcards.values()].every(fits => fits(name) === fits(key))
    const fitting = [...wildcards]
      .filter(([, fits]) => fits(key))
      .map(([text]) => text.replaceAll('*', plain))
    return [plain, ...fitting].find(isLike) ?? plain
  }
  const add = (key: string): void => {
    if (key === '' || names.has(key) || Object.hasOwn(shippedFixtures.keys, key)) return
    names.set(key, nameFor(key))
    replace = undefined
  }
  return {
    add,
    /** A key that a call sends, perhaps with the name of a sandbox. `isKnown`: whether a world has this text as its key. */
    addSent: (text: string, isKnown: (key: string) => boolean): void => {
      const { base, sandbox } = splitKey({ kind: 'key', text }) ?? {}
      add(isKnown(text) || sandbox === undefined ? text : (base ?? text))
    },
    /** A wildcard of a rule. */
    addWildcard: (text: string): void => {
      if (!text.includes('*')) {
        add(text)
        return
      }
      const fits = compileWildcards(text.split('*'), 0)
      wildcards.set(text, fits)
      for (const [key, name] of names) if (fits(key) !== fits(name)) unlike.add(key)
    },
    /** Replaces keys in a text or a line of JSON. */
    replaceIn: (text: string): string => {
      if (names.size === 0) return text
      replace ??= createReplacement(names)
      return replace(text)
    },
    isUnlike: (key: string | undefined): boolean => key !== undefined && unlike.has(key),
    count: (): number => names.size,
  }
}

function createReplacement(names: ReadonlyMap<string, string>): (text: string) => string {
  const nameOf = (key: string) => names.get(key) ?? key
  const longKeys = [...names.keys()].filter(key => key.length >= shortest)
  const long = createKeyMask(longKeys, { maskKey: nameOf })
  const short = [...names.keys()].filter(key => key.length < shortest)
  if (short.length === 0) return long
  // One that is a plain word may be the name of a field, too.
  const alternatives = short
    .map(key => key.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&') + (/^[a-z]+$/i.test(key) ? '(?!\\\\?":)' : ''))
    .join('|')
  const pattern = new RegExp(`(?<=(?:\\\\?"|bearer ))(?:${alternatives})(?=\\\\?"|\\+)`, 'gi')
  return text => long(text).replace(pattern, nameOf)
}
