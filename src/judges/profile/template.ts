/** A message, what its slots may stand for, and when a refusal ends. */
interface Wording {
  readonly text: string
  readonly slots: Readonly<Record<string, string | undefined>>
  readonly end: number | undefined
}

const longest = 500
const mostBases = 5

/**
 * The template of all wordings; undefined if there is none, or another one may be right. What differs between wordings must be
 * the value of a slot. `isRefusal`: by the limit or a ban.
 */
export function findTemplate(wordings: readonly Wording[], isRefusal: boolean) {
  const [first] = wordings
  if (first === undefined || wordings.some(({ text }) => text === '' || text.length > longest))
    return undefined
  const names = Object.keys(first.slots)
  const isVaried = (name: string) => new Set(wordings.map(({ slots }) => slots[name])).size > 1
  const varied = names.filter(
    name => isVaried(name) && wordings.every(({ slots }) => slots[name] !== undefined),
  )
  // A wait is drawn by the clock, and a limit is the plan's.
  const open = names.filter(name => varied.includes(name) || (isRefusal && /^(?:wait|limit)$/.test(name)))
  for (const { text, slots } of wordings.slice(0, mostBases)) {
    const able = open.filter(name => pattern(slots[name])?.test(text))
    // All slots first, none last.
    for (let choice = 2 ** able.length - 1; choice >= 0; choice -= 1) {
      const taken = able.filter((_, at) => (choice >> at) % 2 === 1)
      const message = taken.reduce(
        (shown, name) => shown.replace(pattern(slots[name]) ?? name, () => `{${name}}`),
        text,
      )
      const isRight = (one: Wording) =>
        message.replace(/\{(\w+)\}/g, (slot, name) => one.slots[name] ?? slot) === one.text
      if (!wordings.every(isRight)) continue
      const rest = message.replace(/\{\w+\}/g, ' ')
      if (names.some(name => !taken.includes(name) && pattern(slots[name])?.test(rest))) return undefined
      const isInferred = varied.length === 0 || taken.some(name => !varied.includes(name))
      const isOpen = isRefusal ? !isSettled(rest, wordings) : isInferred && /\d/.test(rest)
      return isOpen ? undefined : { message, isInferred }
    }
  }
  return undefined
}

/** Instants of one ban or window never differ, and a wording that names a window or a plan has other ones. */
function isSettled(rest: string, wordings: readonly Wording[]): boolean {
  const hasEnds = new Set(wordings.map(({ end }) => end)).size > 1
  const hasLimits = new Set(wordings.map(({ slots }) => slots.limit)).size > 1
  const isOfWindow = /\b(?:minute|hour|day|daily|plan|free|pro|business|enterprise)\b/i.test(rest)
  const hasNumbers = /\d/.test(rest)
  const hasAll = hasEnds && wordings.every(({ slots }) => slots.limit)
  return (!hasNumbers || hasAll) && (hasLimits || !isOfWindow)
}

/** A value as a word of its own. */
function pattern(value: string | undefined): RegExp | undefined {
  if (value === undefined || value === '') return undefined
  const literal = value.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'gu')
}
