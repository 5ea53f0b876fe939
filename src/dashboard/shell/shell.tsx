import { useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { App } from '../app/app.ts'
import { Button } from '../design/basics.tsx'
import { Problem } from '../design/elements.tsx'
import { partAt } from '../parts/parts.ts'
import { closedCode } from '../plane/plane.ts'
import { type Notices, useAnswer, useLoad } from '../state/live.ts'
import { type Shortcuts, useShortcuts } from '../state/shortcuts.ts'
import { LoginForm } from './login-form.tsx'
import { Menu } from './menu.tsx'
import { TopBar } from './top-bar.tsx'

import './shell.css'

export function Shell({ app }: { readonly app: App }) {
  const openClock = () => document.querySelector<HTMLElement>('.clock-menu button')?.click()
  useShortcuts(app.shortcuts, [{ key: 't', about: 'Clock', act: openClock }])
  const refusal = app.login.refusal.value
  const { value: health } = useAnswer(app, 'getHealth', {}, 'changes')
  return (
    <div class="shell">
      <Button class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </Button>
      <TopBar app={app} box={health?.box} />
      <Menu app={app} box={health?.box} />
      <main id="main" tabIndex={-1}>
        <ServerState app={app} />
        {refusal === undefined ? (
          <PartPage app={app} />
        ) : refusal.code === closedCode ? (
          <ClosedServer app={app} />
        ) : (
          <LoginForm app={app} why={refusal.message} />
        )}
      </main>
      <NoticeList notices={app.notices} />
      <ShortcutHelp shortcuts={app.shortcuts} />
    </div>
  )
}

/** What opens a server that other machines reach, and that has no token. */
export function ClosedServer({ app: { login, connection } }: { readonly app: App }) {
  const retry = () => {
    login.leave()
    connection.retry()
  }
  return (
    <section class="login card" aria-labelledby="closed-title">
      <h1 id="closed-title">This server shows nothing</h1>
      <p>Other machines can reach it, and it has no token. So nobody may look at it or change it.</p>
      <p>
        Start it again with a token: <code>pet-mock --admin-token SECRET</code>, or set{' '}
        <code>PET_MOCK_ADMIN_TOKEN</code>. Without <code>--host</code>, it needs none: only this machine
        reaches it.
      </p>
      <Button onClick={retry}>Try again</Button>
    </section>
  )
}

/** Short messages in the corner. Screen readers say them. */
export function NoticeList({ notices }: { readonly notices: Notices }) {
  return (
    <div class="notices" role="log" aria-label="Messages">
      {notices.all.value.map(({ id, tone, text }) => (
        <Button key={id} class="notice" data-tone={tone} onClick={() => notices.dismiss(id)}>
          {text}
        </Button>
      ))}
    </div>
  )
}
/** A line above a page that says what is different now, with a button `text`. */
export function Banner(props: {
  isBad: boolean
  children: ComponentChildren
  text: string
  act: () => void
}) {
  const { isBad, children, text, act } = props
  return (
    <div class="banner" data-tone={isBad ? 'bad' : 'plain'} role={isBad ? 'alert' : 'status'}>
      <span>{children}</span>
      <Button class="quiet" onClick={act}>
        {text}
      </Button>
    </div>
  )
}

function ServerState({ app: { connection } }: { readonly app: App }) {
  const [seen, setSeen] = useState(0)
  const restartedAt = useSignal('')
  useSignalEffect(() => {
    if (connection.restarts.value > 0) restartedAt.value = new Date().toLocaleTimeString()
  })
  const status = connection.status.value
  if (status.kind === 'lost')
    return (
      <Banner isBad={true} text="Try now" act={connection.retry}>
        The server does not answer. This page connects again by itself.
      </Banner>
    )
  if (connection.restarts.value <= seen) return null
  return (
    <Banner isBad={false} text="Dismiss" act={() => setSeen(connection.restarts.value)}>
      The server was restarted at {restartedAt.value}. What it had before is gone.
    </Banner>
  )
}
function ShortcutHelp({ shortcuts }: { readonly shortcuts: Shortcuts }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useShortcuts(shortcuts, [{ key: '?', about: 'Keyboard', act: () => dialog.current?.showModal() }])
  return (
    <dialog ref={dialog} class="card shortcut-help" aria-labelledby="shortcut-title">
      <h2 id="shortcut-title">Keyboard</h2>
      <dl>
        {shortcuts.all.value.map(({ key, about }) => (
          <div key={key + about}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <Button onClick={() => dialog.current?.close()}>Close</Button>
    </dialog>
  )
}

/** Shows the part that the URL names. Its code is loaded when it is first needed. */
function PartPage({ app }: { readonly app: App }) {
  const part = partAt(app.places.at.value)
  const load = async () => ({ part, View: (await part?.load().catch(() => undefined))?.View })
  const { value: shown } = useLoad(load, [part])
  useEffect(() => {
    document.title = part === undefined ? 'pet-mock' : `${part.title} · pet-mock`
  }, [part])
  if (part === undefined) return <Problem title="There is no such page">The menu has all pages.</Problem>
  if (shown?.part !== part) return null
  if (shown.View === undefined)
    return <Problem title="This page did not load">Reload it once the server runs.</Problem>
  return <shown.View app={app} />
}
