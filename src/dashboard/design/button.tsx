import type { ComponentProps } from 'preact'
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

interface CopyButtonProps {
  /** The text, or what makes it when somebody wants it. */
  readonly text: string | (() => Promise<string>)
  readonly notices: Notices
  readonly children?: string
}

export function CopyButton({ text, notices, children = 'Copy' }: CopyButtonProps) {
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
