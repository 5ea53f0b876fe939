import type { App } from '../app/app.ts'
import { Icon } from '../design/icon.tsx'
import { useLive } from '../state/live.ts'
import { ClockChip } from './clock-chip.tsx'
import { ConnectionDot } from './connection-dot.tsx'
import { ThemeButton } from './theme-button.tsx'

/** What is true of the whole page: the situation, the sandbox, the connection. */
export function TopBar({ app }: { readonly app: App }) {
  const { plane, connection, sandbox, places, login } = app
  const name = sandbox.value
  const load = () => plane.call('getScenario', { query: { sandbox: name } })
  const scenario = useLive(connection, load, [name], 'changes')
  return (
    <header class="top-bar">
      <a class="brand" href={places.linkTo('')}>
        <Icon name="paw" /> pet-mock
      </a>
      <span class="situation" title="The situation that the server plays">
        {scenario.value.value?.title ?? scenario.value.value?.name ?? '…'}
      </span>
      {name !== 'default' && <span class="sandbox">sandbox {name}</span>}
      <ClockChip app={app} />
      <span class="filler" />
      <ConnectionDot status={connection.status.value} />
      {login.hasToken.value && (
        <button type="button" class="quiet" onClick={login.leave}>
          Log out
        </button>
      )}
      <ThemeButton theme={app.theme} />
    </header>
  )
}
