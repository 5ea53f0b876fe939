import { ClockRow } from './clock-row.tsx'
import { LastCalls } from './last-calls.tsx'
import type { PanelHost } from './panel-host.ts'
import { PanelLogin } from './panel-login.tsx'
import { Quotas } from './quotas.tsx'
import { SituationRow } from './situation-row.tsx'

/** The panel in a user's own page: quotas, clock, situation and the last calls. */
export function Panel({ host }: { readonly host: PanelHost }) {
  const { login, connection, dashboard } = host
  const refusal = login?.refusal.value
  const isLost = connection.status.value.kind === 'lost'
  return (
    <main class="panel">
      <header>
        <h1>pet-mock</h1>
        <span class="filler" />
        {dashboard !== undefined && (
          <a href={dashboard} target="_blank" rel="noreferrer">
            Dashboard
          </a>
        )}
      </header>
      {isLost && (
        <p class="lost" role="status">
          The server does not answer. The panel tries again.
        </p>
      )}
      {login !== undefined && refusal !== undefined ? (
        <PanelLogin login={login} why={refusal} retry={connection.retry} />
      ) : (
        <>
          <Quotas host={host} />
          <ClockRow host={host} />
          <SituationRow host={host} />
          <LastCalls host={host} />
        </>
      )}
    </main>
  )
}
