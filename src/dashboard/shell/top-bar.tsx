import type { Signal } from '@preact/signals'
import type { App } from '../app/app.ts'
import { Button, Icon } from '../design/basics.tsx'
import { Fold, IconButton } from '../design/elements.tsx'
import { saveFile } from '../design/save-file.ts'
import { partAt } from '../parts/parts.ts'
import type { Status } from '../state/connection.ts'
import { act, useAnswer } from '../state/live.ts'
import { type Theme, themes } from '../state/theme.ts'
import { ClockMenu } from './clock-menu.tsx'
import { Menu, type MenuProps } from './menu.tsx'

/** What is true of the whole page: the situation, the sandbox, the connection. */
export function TopBar({ app, box }: MenuProps) {
  const { connection, sandbox, places, login } = app
  const name = sandbox.value
  const { value: scenario } = useAnswer(app, 'getScenario', { query: { sandbox: name } }, 'changes')
  return (
    <header class="top-bar">
      {/* Where the page is narrow: the same menu behind a button that names the page. */}
      <Fold class="menu-fold" label="Menu" icon="menu" head={partAt(places.at.value)?.title}>
        <Menu app={app} box={box} />
      </Fold>
      <a class="brand" href={places.linkTo('')}>
        <Icon name="paw" /> pet-mock
      </a>
      <a
        class="situation one-line"
        href={places.linkTo('situation')}
        title="The situation that the server plays"
      >
        {scenario?.title ?? '…'} <code>{scenario?.name}</code>
      </a>
      {name !== 'default' && <span class="sandbox one-line">sandbox {name}</span>}
      <span class="filler" />
      <ClockMenu app={app} />
      {box === 'recorded' && (
        <Button class="quiet" title="The run so far, for pet-mock box open" onClick={() => saveBox(app)}>
          Save box
        </Button>
      )}
      <ConnectionDot status={connection.status.value} />
      {login.hasToken.value && (
        <Button class="quiet" onClick={login.leave}>
          Log out
        </Button>
      )}
      <ThemeButton theme={app.theme} />
    </header>
  )
}

function saveBox(app: App): Promise<boolean> {
  return act(app, async () => {
    const lines = await app.plane.read('getBox', { query: { as: 'lines' } })
    const packed = new Blob([lines]).stream().pipeThrough(new CompressionStream('gzip'))
    saveFile('run.petbox', await new Response(packed).blob(), 'application/gzip')
  })
}

const words: Readonly<Record<Status['kind'], string>> = {
  connecting: 'Connecting',
  live: 'Live',
  hidden: 'Paused',
  refused: 'Locked',
  lost: 'No server',
}

export function ConnectionDot({ status }: { readonly status: Status }) {
  return (
    <span class="connection" data-kind={status.kind} role="status">
      <span class="dot" aria-hidden="true" />
      {words[status.kind]}
    </span>
  )
}

const icons = { system: 'half', light: 'sun', dark: 'moon' } as const

/** Changes the colours: those of the system, light, dark. */
export function ThemeButton({ theme }: { readonly theme: Signal<Theme> }) {
  const next = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system'
  return (
    <IconButton
      class="quiet icon-only"
      icon={icons[theme.value]}
      label={`Colours: ${theme.value}. Change to ${next}.`}
      title={`Colours: ${theme.value}`}
      onClick={() => {
        theme.value = next
      }}
    />
  )
}
