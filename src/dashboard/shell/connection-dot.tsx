import type { Status } from '../state/connection.ts'

const words: Readonly<Record<Status['kind'], string>> = {
  connecting: 'Connecting',
  live: 'Live',
  hidden: 'Paused',
  refused: 'Locked',
  lost: 'No server',
}

/** Whether the page shows what happens now. */
export function ConnectionDot({ status }: { readonly status: Status }) {
  return (
    <span class="connection" data-kind={status.kind} role="status">
      <span class="dot" aria-hidden="true" />
      {words[status.kind]}
    </span>
  )
}
