import { useSignal, useSignalEffect } from '@preact/signals'
import type { App } from '../app/app.ts'
import { Banner } from '../design/banner.tsx'

/** Says that the server is away, or that it was restarted. */
export function ServerState({ app: { connection } }: { readonly app: App }) {
  const seen = useSignal(0)
  const restartedAt = useSignal('')
  useSignalEffect(() => {
    if (connection.restarts.value > 0) restartedAt.value = new Date().toLocaleTimeString()
  })
  const status = connection.status.value
  if (status.kind === 'lost')
    return (
      <Banner tone="bad" action={{ text: 'Try now', act: connection.retry }}>
        The server does not answer. This page connects again by itself.
      </Banner>
    )
  if (connection.restarts.value <= seen.value) return null
  const dismiss = () => {
    seen.value = connection.restarts.value
  }
  return (
    <Banner tone="plain" action={{ text: 'Dismiss', act: dismiss }}>
      The server was restarted at {restartedAt.value}. What it had before is gone.
    </Banner>
  )
}
