import './shell.css'
import type { App } from '../app/app.ts'
import { closedCode } from '../plane/plane-error.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import { ClosedServer } from './closed-server.tsx'
import { LoginForm } from './login-form.tsx'
import { Menu } from './menu.tsx'
import { NoticeList } from './notice-list.tsx'
import { PartPage } from './part-page.tsx'
import { ServerState } from './server-state.tsx'
import { ShortcutHelp } from './shortcut-help.tsx'
import { TopBar } from './top-bar.tsx'

/** The frame around every part. */
export function Shell({ app }: { readonly app: App }) {
  useShortcuts(app.shortcuts, [
    { key: 't', about: 'Time', act: () => app.places.goTo({ part: 'time', rest: [] }) },
  ])
  const refusal = app.login.refusal.value
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <TopBar app={app} />
      <Menu app={app} />
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
