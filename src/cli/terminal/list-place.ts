import type { ChoiceList } from './choice-list.ts'
import type { Footer } from './footer.ts'
import { createPaint } from './paint.ts'

/** Where a list opens, below the log. */
export interface ListPlace {
  readonly open: (list: ChoiceList, choose: (name: string) => void) => void
  readonly close: () => void
  /** Returns whether a list took the key. */
  readonly press: (key: string) => boolean
}

export function createListPlace(footer: Footer): ListPlace {
  const paint = createPaint(footer.io.stdout)
  let open: { readonly list: ChoiceList; readonly choose: (name: string) => void } | undefined
  const draw = () => footer.show(open?.list.lines(footer.columns(), paint) ?? [])
  const close = () => {
    if (open === undefined) return
    open = undefined
    draw()
  }
  return {
    open: (list, choose) => {
      open = { list, choose }
      draw()
    },
    close,
    press: key => {
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
