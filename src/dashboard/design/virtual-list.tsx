import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface VirtualListProps<T> {
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string | number
  /** Pixels. Every row has this height. */
  readonly rowHeight: number
  readonly label: string
  readonly children: (item: T) => ComponentChildren
  /** The row to keep in view, such as the chosen one. */
  readonly shown?: string | number | undefined
}

/** Rows beyond the view, so that quick scrolling shows no gaps. */
const extra = 8

/** A long list, with only its visible rows in the page. New rows at its top move nothing that somebody reads. */
export function VirtualList<T>({ items, keyOf, rowHeight, label, children, shown }: VirtualListProps<T>) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  const latest = useRef(items)
  latest.current = items
  /** The first row in view, unless it is the list's first. */
  const anchor = useRef<string | number | undefined>(undefined)
  const measure = () => {
    const { scrollTop = 0, clientHeight = 0 } = box.current ?? {}
    const first = latest.current[Math.floor(scrollTop / rowHeight)]
    anchor.current = scrollTop < rowHeight || first === undefined ? undefined : keyOf(first)
    setView(before =>
      before.top === scrollTop && before.height === clientHeight
        ? before
        : { top: scrollTop, height: clientHeight },
    )
  }
  useLayoutEffect(() => {
    const list = box.current
    if (list === null || anchor.current === undefined) return
    const index = items.findIndex(item => keyOf(item) === anchor.current)
    if (index >= 0) list.scrollTop = index * rowHeight + (list.scrollTop % rowHeight)
  }, [items])
  useLayoutEffect(() => {
    const list = box.current
    const index = shown === undefined ? -1 : items.findIndex(item => keyOf(item) === shown)
    if (list === null || index < 0) return
    const top = index * rowHeight
    if (top < list.scrollTop) list.scrollTop = top
    else if (top + rowHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = top + rowHeight - list.clientHeight
  }, [shown])
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure)
    if (box.current !== null) observer.observe(box.current)
    return () => observer.disconnect()
  }, [rowHeight])

  const first = Math.max(0, Math.floor(view.top / rowHeight) - extra)
  const visible = items.slice(first, first + Math.ceil(view.height / rowHeight) + 2 * extra)
  return (
    <div class="virtual-list" ref={box} onScroll={measure}>
      <ol aria-label={label} style={{ height: `${items.length * rowHeight}px` }}>
        {visible.map((item, index) => (
          <li
            key={keyOf(item)}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            style={{ height: `${rowHeight}px`, transform: `translateY(${(first + index) * rowHeight}px)` }}
          >
            {children(item)}
          </li>
        ))}
      </ol>
    </div>
  )
}
