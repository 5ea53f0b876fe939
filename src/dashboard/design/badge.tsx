import type { ComponentChildren } from 'preact'

export type Tone = 'plain' | 'good' | 'info' | 'warn' | 'bad'

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return (
    <span class="badge" data-tone={tone}>
      {children}
    </span>
  )
}

export const severityTones = { error: 'bad', warning: 'warn', info: 'info' } as const

export function toneOf(status: number): Tone {
  if (status >= 500) return 'bad'
  if (status >= 400) return 'warn'
  return status >= 300 ? 'info' : 'good'
}
