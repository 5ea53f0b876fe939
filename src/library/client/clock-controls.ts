import type { Ask } from './ask-plane.ts'
import type { ClockControls, ClockState } from './controls.ts'

export function clockControls(ask: Ask): ClockControls {
  return {
    advance: by => ask<ClockState>('POST', '/clock/advance', typeof by === 'string' ? { by } : by),
    freeze: options => ask<ClockState>('POST', '/clock/freeze', { ...options }),
    resume: options => ask<ClockState>('POST', '/clock/resume', { ...options }),
    reset: () => ask<ClockState>('POST', '/clock/reset'),
    now: async () => new Date((await ask<ClockState>('GET', '/clock')).at),
  }
}
