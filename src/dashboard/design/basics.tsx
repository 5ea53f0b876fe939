import type { ComponentChildren, ComponentProps } from 'preact'
import paths from './icons.json' with { type: 'json' }

/* The elements that the panel shows, too. What is beside them here counts towards its size. */

/** A button that sends no form. */
export function Button(props: ComponentProps<'button'>) {
  return <button type="button" {...props} />
}

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

export interface MeterProps {
  readonly label: string
  readonly value: number
  readonly max: number
}

/** It warns below a quarter. */
export function toneOfRest(value: number, most: number) {
  return value <= 0 ? 'bad' : value < most / 4 ? 'warn' : 'good'
}

/** A bar of what is left. */
export function Meter({ label, value, max }: MeterProps) {
  const most = Math.max(1, max)
  return (
    <meter
      class="meter"
      aria-label={label}
      value={Math.min(most, value)}
      max={most}
      data-tone={toneOfRest(value, most)}
    />
  )
}

export type IconName = keyof typeof paths
export const iconNames = Object.keys(paths) as readonly IconName[]

/** A picture beside words, which screen readers skip: lines of one width on a grid of 16, whose points are half a unit apart. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
