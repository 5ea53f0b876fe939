import { clockText, type Pause } from './pause.ts'

const words = {
  limit: ['One moment, please', 'For this minute or this day, the service was asked as often as it allows.'],
  ban: ['This key is banned for now', 'It called on while the service had asked for a pause.'],
  outage: ['The service is out of order', 'It does not answer as it should.'],
} as const

const time = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

interface PauseScreenProps {
  readonly pause: Pause
  readonly secondsLeft: number
  readonly onRetry: () => void
}

/** The screen during a pause: its reason, the time left, and that the user need not do anything. */
export function PauseScreen({ pause, secondsLeft, onRetry }: PauseScreenProps) {
  const { kind, from, until, turn } = pause
  const [heading, reason] = words[kind]
  const share = secondsLeft / Math.max(1, Math.round((until - from) / 1000))
  return (
    <div className={`pause ${kind}`}>
      <svg
        viewBox="0 0 120 120"
        role="img"
        aria-label={`${secondsLeft} second${secondsLeft === 1 ? '' : 's'} left`}
      >
        <circle cx="60" cy="60" r="52" />
        <circle cx="60" cy="60" r="52" pathLength={1} strokeDasharray={`${share} 1`} className="left" />
        <text x="60" y="60">
          {clockText(secondsLeft)}
        </text>
      </svg>
      <div role="status">
        <h2>{heading}</h2>
        <p>{reason}</p>
      </div>
      {kind === 'outage' ? (
        <p>
          {turn === 1
            ? 'The list comes back by itself.'
            : `The list comes back by itself: ${turn} tries so far.`}{' '}
          <button type="button" onClick={onRetry}>
            Try now
          </button>
        </p>
      ) : (
        <p>
          The list comes back by itself at {time.format(until)}.
          {kind === 'ban' && ' Until then every call is refused, so none is made.'}
        </p>
      )}
    </div>
  )
}
