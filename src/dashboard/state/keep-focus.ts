const focusable = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary'

/** Where the focus is: an element of the page, with its position in each of its ancestors. */
interface Spot {
  readonly element: Element
  readonly steps: readonly { readonly parent: Element; readonly index: number }[]
}

/**
 * Browsers give the focus to nobody when its element goes, so the keyboard would start again at the top of the page. This
 * gives it to what has taken the place of the element, or to what is next to it. Last, to the page's content.
 */
export function keepFocus(document: Document): void {
  let spot: Spot | undefined
  document.addEventListener('focusin', ({ target }) => {
    spot = target instanceof Element ? spotOf(target) : undefined
  })
  // Somebody leaves it by a click, perhaps for nothing that takes the focus.
  document.addEventListener('pointerdown', () => {
    spot = undefined
  })
  const look = () => {
    if (spot === undefined || (spot.element.isConnected && !spot.element.matches(':disabled'))) return
    const { activeElement: active } = document
    if (active !== null && active !== document.body && active !== spot.element) return
    const near = findNear(spot) ?? document.getElementById('main')
    near?.focus({ preventScroll: true })
  }
  const options = { subtree: true, childList: true, attributeFilter: ['disabled'] }
  new MutationObserver(look).observe(document.body, options)
}

function spotOf(element: Element): Spot {
  const steps = []
  for (let at = element; at.parentElement !== null; at = at.parentElement) {
    const { parentElement: parent } = at
    steps.push({ parent, index: [...parent.children].indexOf(at) })
  }
  return { element, steps }
}

function findNear({ element, steps }: Spot): HTMLElement | undefined {
  const left = steps.findIndex(({ parent }) => parent.isConnected)
  for (const { parent } of steps.slice(Math.max(0, left))) {
    if (parent.id === 'main' || parent.contains(parent.ownerDocument.getElementById('main'))) return undefined
    const found = follow(parent, steps, element)
    if (found !== undefined) return found
  }
  return undefined
}

/** The same way down again, as far as there is one. */
function follow(from: Element, steps: Spot['steps'], gone: Element): HTMLElement | undefined {
  let at = from
  const way = [from]
  const start = steps.findIndex(({ parent }) => parent === from)
  for (const { index } of steps.slice(0, start + 1).toReversed()) {
    const next = at.children[Math.min(index, at.children.length - 1)]
    if (next === undefined || next === gone) break
    at = next
    way.push(at)
  }
  for (const place of way.toReversed()) {
    if (place instanceof HTMLElement && place.matches(focusable)) return place
    const inside = place.querySelector<HTMLElement>(focusable)
    if (inside !== null) return inside
  }
  return undefined
}
