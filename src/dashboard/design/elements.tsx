import type { ComponentChildren, ComponentProps } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { PlaneError } from '../plane/plane.ts'
import type { Notices } from '../state/live.ts'
import { Button, Icon, type IconName, type MeterProps, toneOfRest } from './basics.tsx'

/** A button that shows a picture instead of its name. */
export function IconButton(props: ComponentProps<'button'> & { icon: IconName; label: string }) {
  const { icon, label, ...others } = props
  return (
    <Button class="icon-only" aria-label={label} title={label} {...others}>
      <Icon name={icon} />
    </Button>
  )
}

/** `text`: the text, or what makes it when somebody wants it. */
export function CopyButton(props: {
  text: string | (() => Promise<string>)
  notices: Notices
  children?: ComponentChildren
}) {
  const { text, notices, children = 'Copy' } = props
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
      notices.show('Copied.', 'good')
    } catch {
      notices.show('The browser does not let this page copy.', 'bad')
    }
  }
  return <Button onClick={copy}>{children}</Button>
}

interface FoldProps extends Readonly<Record<'class' | 'label', string>> {
  readonly icon: IconName
  readonly head: ComponentChildren
  readonly children: ComponentChildren
}

/** A button that unfolds something. Escape folds it, and so does what leads elsewhere. `label`: said before its text. */
export function Fold({ class: name, label, icon, head, children }: FoldProps) {
  const box = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  // Before the next key: an effect would listen only after the browser has painted.
  useLayoutEffect(() => {
    if (!isOpen) return
    const stop = new AbortController()
    const leave = ({ target }: Event) => {
      if (!(target instanceof Node && box.current?.contains(target))) setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      box.current?.querySelector('button')?.focus()
      setOpen(false)
    }
    for (const kind of ['pointerdown', 'focusin']) document.addEventListener(kind, leave, stop)
    document.addEventListener('keydown', onKey, stop)
    window.addEventListener('hashchange', () => setOpen(false), stop)
    return () => stop.abort()
  }, [isOpen])
  return (
    <div ref={box} class={`fold ${name}`}>
      <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="visually-hidden">{label}: </span>
        <Icon name={icon} />
        <span class="one-line">{head}</span>
      </Button>
      {isOpen && <div class="folded card">{children}</div>}
    </div>
  )
}

/** The same as a ring, around the number. */
export function Ring({ label, value, max }: MeterProps) {
  const most = Math.max(1, max)
  const share = Math.min(1, Math.max(0, value / most))
  return (
    <div class="ring" data-tone={toneOfRest(value, most)} role="img" aria-label={label}>
      <svg viewBox="0 0 96 96" aria-hidden="true">
        <circle cx={48} cy={48} r={42} />
        {share > 0 && (
          <circle
            class="left"
            cx={48}
            cy={48}
            r={42}
            pathLength={100}
            stroke-dasharray={`${share * 100} 100`}
          />
        )}
      </svg>
      <strong aria-hidden="true">{value.toLocaleString('en')}</strong>
      <span aria-hidden="true">of {max.toLocaleString('en')}</span>
    </div>
  )
}

/** Stands where content would be: nothing there yet, or an error. */
export function Problem({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="problem">
      <h2>{title}</h2>
      {children && <div>{children}</div>}
    </div>
  )
}

/** Stands for an answer that is not there: nothing while it is on its way, else why it did not come. */
export function Absent({ title, error }: { readonly title: string; readonly error: PlaneError | undefined }) {
  return error === undefined ? null : <Problem title={title}>{error.message}</Problem>
}

/** A table whose first row names its columns. `children`: the other rows. */
export function Table(props: ComponentProps<'table'> & { heads: readonly ComponentChildren[] }) {
  const { heads, children, ...others } = props
  return (
    <table {...others}>
      <thead>
        <tr>
          {heads.map((head, index) => (
            <th key={`${index}`} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
