import type { Signal } from '@preact/signals'
import type { App } from '../app/app.ts'
import { describeClock, isMoved } from '../clock/describe-clock.ts'
import { useEmulatorClock } from '../clock/emulator-clock.ts'
import { Button, IconButton } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { saveFile } from '../design/save-file.ts'
import { dayOf, timeOfDay } from '../design/time-text.ts'
import type { Answer } from '../plane/plane.ts'
import { act } from '../state/act.ts'
import type { Status } from '../state/connection.ts'
import { useAnswer } from '../state/live.ts'
import { type Theme, themes } from '../state/theme.ts'

/** What the server has to do with a box. */
export type Box = Answer<'getHealth'>['box']

/** What is true of the whole page: the situation, the sandbox, the connection. */
export function TopBar({ app, box }: { readonly app: App; readonly box: Box }) {
  const { connection, sandbox, places, login } = app
  const name = sandbox.value
  const { value: scenario } = useAnswer(app, 'getScenario', { query: { sandbox: name } }, 'changes')
  return (
    <header class="top-bar">
      <a class="brand" href={places.linkTo('')}>
        <Icon name="paw" /> pet-mock
      </a>
      <span class="situation one-line" title="The situation that the server plays">
        {scenario?.title ?? scenario?.name ?? '…'}
      </span>
      {name !== 'default' && <span class="sandbox one-line">sandbox {name}</span>}
      <ClockChip app={app} />
      <span class="filler" />
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

/** The emulator's time on every page, as soon as it is not real time. */
function ClockChip({ app }: { readonly app: App }) {
  const clock = useEmulatorClock(app)
  const reading = clock.reading.value
  if (reading === undefined || !isMoved(reading)) return null
  const at = clock.at.value ?? 0
  return (
    <a class="clock-chip" href={app.places.linkTo('time')} title={describeClock(reading)}>
      <Icon name="clock" />
      <span>
        <span class="day">{dayOf(at)}</span> {timeOfDay(at)}
      </span>
    </a>
  )
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
