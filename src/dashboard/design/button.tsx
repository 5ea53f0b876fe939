import type { ComponentChildren, ComponentProps } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Notices } from '../state/notices.ts'
import { Icon, type IconName } from './icon.tsx'

/** A button that sends no form. */
export function Button(props: ComponentProps<'button'>) {
  return <button type="button" {...props} />
}

/** A button that shows a picture instead of its name. */
export function IconButton(props: ComponentProps<'button'> & { icon: IconName; label: string }) {
  const { icon, label, ...others } = props
  return (
    <Button class="icon-only" aria-label={label} title={label} {...others}>
      <Icon name={icon} />
    </Button>
  )
}

type Text = string | (() => Promise<string>)

/** `text`: the text, or what makes it when somebody wants it. */
export function CopyButton(props: { text: Text; notices: Notices; children?: ComponentChildren }) {
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
  useEffect(() => {
    if (!isOpen) return
    const stop = new AbortController()
    const fold = () => setOpen(false)
    const leave = ({ target }: Event) => {
      if (!(target instanceof Node && box.current?.contains(target))) fold()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      box.current?.querySelector('button')?.focus()
      fold()
    }
    for (const kind of ['pointerdown', 'focusin']) document.addEventListener(kind, leave, stop)
    document.addEventListener('keydown', onKey, stop)
    window.addEventListener('hashchange', fold, stop)
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
