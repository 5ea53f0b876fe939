import type { Footer, FooterLine } from './footer.ts'
import { createPaint, elideMiddle, type Paint, printable } from './text.ts'

export interface Choice {
  readonly name: string
  readonly about: string
}

/** A list to choose from by arrow keys and by typing a part of a name. */
type ChoiceList = ReturnType<typeof createChoiceList>

/** Choices that are shown at once: with the title and the filter, half of a terminal with 24 rows. */
const mostShown = 10
const longestFilter = 40

const escapeKey = '\x1b'
/** What terminals send for each key, with and without application mode. */
const moves: Readonly<Record<string, number>> = {
  [`${escapeKey}[A`]: -1,
  [`${escapeKey}OA`]: -1,
  [`${escapeKey}[B`]: 1,
  [`${escapeKey}OB`]: 1,
  [`${escapeKey}[5~`]: -mostShown,
  [`${escapeKey}[6~`]: mostShown,
}

/** `current`: the name to start at. */
export function createChoiceList(title: string, choices: readonly Choice[], current: string) {
  let filter = ''
  const start = choices.findIndex(({ name }) => name === current)
  let at = Math.max(0, start)
  const matching = () => {
    const part = filter.toLowerCase()
    return choices.filter(({ name, about }) => `${name}\n${about}`.toLowerCase().includes(part))
  }
  const setFilter = (text: string) => {
    filter = text
    at = 0
  }
  return {
    /** Takes a key. Returns the chosen name, null if the list was left, or undefined while it is open. */
    press: (key: string): string | null | undefined => {
      const found = matching()
      if (key === '\r' || key === '\n') return found[at]?.name
      if (key === escapeKey || key === '\x03' || key === '\x1a' || key === '\x1c') return null
      const move = moves[key]
      if (move !== undefined) at = Math.max(0, Math.min(found.length - 1, at + move))
      else if (key === '\x7f' || key === '\b') setFilter(Array.from(filter).slice(0, -1).join(''))
      else if (key === '\x15') setFilter('')
      else if (/^[\p{L}\p{N}\p{P}\p{S} ]$/u.test(key)) setFilter((filter + key).slice(0, longestFilter))
      return undefined
    },
    lines: (columns: number, paint: Paint): readonly FooterLine[] => {
      const found = matching()
      const first = Math.max(0, Math.min(at - Math.floor(mostShown / 2), found.length - mostShown))
      const room = Math.max(10, columns - 1)
      const widest = Math.min(room - 2, Math.max(0, ...choices.map(({ name }) => printable(name).length)))
      const rows = found.slice(first, first + mostShown).map((choice, index) => {
        const name = elideMiddle(printable(choice.name), widest).padEnd(widest)
        const about = elideMiddle(printable(choice.about), Math.max(0, room - widest - 4))
        const isAt = first + index === at
        const text = `${isAt ? paint('cyan', '❯') : ' '} ${isAt ? paint('bold', name) : name}  ${paint('dim', about)}`
        return { text, width: Math.min(room, widest + 4 + about.length) }
      })
      const plain = (text: string, look = text): FooterLine => ({ text: look, width: text.length })
      const count = found.length === 0 ? 'no match' : `${at + 1} of ${found.length}`
      const help = `${title}: type to filter, ↑↓ and Enter to choose, Esc to leave (${count})`
      const head = elideMiddle(help, room)
      const input = plain(`› ${filter}`, `${paint('cyan', '›')} ${filter}`)
      return [plain(head, paint('dim', head)), ...rows, input]
    },
  }
}

/** Where a list opens, below the log. */
export type ListPlace = ReturnType<typeof createListPlace>

export function createListPlace(footer: Footer) {
  const paint = createPaint(footer.io.stdout)
  let open: { readonly list: ChoiceList; readonly choose: (name: string) => void } | undefined
  const draw = () => footer.show(open?.list.lines(footer.columns(), paint) ?? [])
  const close = () => {
    if (open === undefined) return
    open = undefined
    draw()
  }
  return {
    open: (list: ChoiceList, choose: (name: string) => void) => {
      open = { list, choose }
      draw()
    },
    close,
    press: (key: string): boolean => {
      if (open === undefined) return false
      const { list, choose } = open
      const chosen = list.press(key)
      if (chosen === undefined) draw()
      else close()
      if (typeof chosen === 'string') choose(chosen)
      return true
    },
  }
}
