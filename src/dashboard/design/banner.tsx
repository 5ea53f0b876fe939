import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'

export interface BannerProps {
  readonly tone: 'plain' | 'good' | 'warn' | 'bad'
  readonly children: ComponentChildren
  readonly action?: { readonly text: string; readonly act: () => void }
}

/** A line above a page that says what is different now. */
export function Banner({ tone, children, action }: BannerProps) {
  return (
    <div class="banner" data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <span>{children}</span>
      {action && (
        <Button class="quiet" onClick={action.act}>
          {action.text}
        </Button>
      )}
    </div>
  )
}
