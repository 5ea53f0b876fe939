const slotNames = ['path', 'id', 'field', 'name', 'value', 'wait', 'limit', 'method'] as const
type Slots = Readonly<Record<(typeof slotNames)[number], string | undefined>>

/** A message, and what its slots may stand for. */
export interface Wording {
  readonly text: string | undefined
  readonly slots: Slots
  /** When a refusal ends. */
  readonly end: number | undefined
}

const longest = 500
const mostBases = 5
const mostTried = 1_000

/**
 * The template of all wordings; undefined if there is none, or another one may be right. What differs between wordings must be
 * the value of a slot. `hasKinds`: whether two of the calls differ. `isRefusal`: by the limit or a ban.
 */
export function findTemplate(
  wordings: readonly Wording[],
  { isRefusal, hasKinds }: { readonly isRefusal: boolean; readonly hasKinds: boolean },
): { readonly message: string; readonly isInferred: boolean } | undefined {
  const seen = wordings.filter(({ text }) => text !== undefined).slice(-mostTried)
  if (seen.length === 0 || seen.some(({ text = '' }) => text.length > longest)) return undefined
  const values = (name: keyof Slots) => new Set(seen.map(({ slots }) => slots[name]))
  const differing = slotNames.filter(name => values(name).size > 1 && !values(name).has(undefined))
  // A wait is drawn by the clock, and a limit is the plan's.
  const taken = slotNames.filter(
    name => differing.includes(name) || (isRefusal && (name === 'wait' || name === 'limit')),
  )
  for (const { text = '', slots } of seen.slice(0, mostBases))
    for (const names of subsetsOf(taken.filter(name => find(text, slots[name])))) {
      const message = names.reduce((shown, name) => replace(shown, slots[name], `{${name}}`), text)
      if (!seen.every(one => fill(message, one.slots) === one.text)) continue
      const rest = message.replace(/\{\w+\}/g, ' ')
      const isOpen = slotNames.some(name => !names.includes(name) && find(rest, slots[name]))
      if (isOpen) return undefined
      const inferred = names.some(name => !differing.includes(name)) || !hasKinds
      if (isRefusal && !isSettled(rest, seen)) return undefined
      return inferred && /\d/.test(rest) ? undefined : { message, isInferred: inferred }
    }
  return undefined
}

/** Instants of one ban or window never differ, and a wording that names a window or a plan has other ones. */
function isSettled(rest: string, seen: readonly Wording[]): boolean {
  const hasEnds = new Set(seen.map(({ end }) => end)).size > 1
  const hasLimits = new Set(seen.map(({ slots }) => slots.limit)).size > 1
  const isOfWindow = /\b(?:minute|hour|day|daily|plan|free|pro|business|enterprise)\b/i.test(rest)
  const knowsLimit = seen.every(({ slots }) => slots.limit !== undefined)
  return ((hasEnds && knowsLimit) || !/\d/.test(rest)) && (hasLimits || !isOfWindow)
}

/** All first, the empty one last. */
function* subsetsOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let left = 2 ** items.length - 1; left >= 0; left -= 1)
    yield items.filter((_, at) => (left >> (items.length - 1 - at)) % 2 === 1)
}

function pattern(value: string): RegExp {
  return new RegExp(
    `(?<![\\p{L}\\p{N}])${value.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\p{L}\\p{N}])`,
    'gu',
  )
}

function find(text: string, value: string | undefined): boolean {
  return value !== undefined && value !== '' && value.length <= longest && pattern(value).test(text)
}

function replace(text: string, value: string | undefined, slot: string): string {
  return value === undefined ? text : text.replace(pattern(value), () => slot)
}

function fill(message: string, slots: Slots): string {
  return message.replace(
    /\{(\w+)\}/g,
    (slot, name: string) => Object.entries(slots).find(([own]) => own === name)?.[1] ?? slot,
  )
}
