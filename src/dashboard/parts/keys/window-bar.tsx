import type { PlaneKey } from '../../../generated/plane-operations.ts'
import { Meter } from '../../design/meter.tsx'
import { lengthOfTime } from '../../design/time-text.ts'
import { windowAt } from './window-at.ts'

export interface WindowBarProps {
  readonly shown: Pick<PlaneKey, 'limits' | 'remaining' | 'resets'>
  readonly name: 'minute' | 'day'
  readonly at: number
}

/** What is left of a window. It is full again when the window is over on the emulator's clock. */
export function WindowBar({ shown, name, at }: WindowBarProps) {
  const { left, limit, endsIn } = windowAt(shown, name, at)
  return (
    <div class="window-bar">
      <span>
        <strong>{left.toLocaleString('en')}</strong> of {limit.toLocaleString('en')} left this {name}
      </span>
      <Meter label={`Left this ${name}`} value={left} max={limit} />
      <span class="muted">
        {endsIn === undefined ? 'opens with the next call' : `resets in ${lengthOfTime(endsIn)}`}
      </span>
    </div>
  )
}
