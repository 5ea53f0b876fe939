import type { Notices } from '../state/notices.ts'

export interface CopyButtonProps {
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
  return (
    <button type="button" onClick={copy}>
      {children}
    </button>
  )
}
