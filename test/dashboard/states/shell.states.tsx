import { signal } from '@preact/signals'
import { LoginForm } from '../../../src/dashboard/shell/login-form.tsx'
import { ClosedServer, NoticeList } from '../../../src/dashboard/shell/shell.tsx'
import { ConnectionDot, ThemeButton } from '../../../src/dashboard/shell/top-bar.tsx'
import type { Notice } from '../../../src/dashboard/state/live.ts'
import { themes } from '../../../src/dashboard/state/theme.ts'
import { fixtureApp } from './fixture-app.ts'
import type { ComponentStates } from './states.ts'

const notices: readonly Notice[] = [
  { id: 1, tone: 'good', text: 'Copied.' },
  { id: 2, tone: 'bad', text: 'The call was not sent.' },
  { id: 3, tone: 'plain', text: 'Sent again: 429.' },
]

export const all: readonly ComponentStates[] = [
  {
    component: 'ConnectionDot',
    states: {
      connecting: () => <ConnectionDot status={{ kind: 'connecting' }} />,
      live: () => <ConnectionDot status={{ kind: 'live' }} />,
      hidden: () => <ConnectionDot status={{ kind: 'hidden' }} />,
      refused: () => <ConnectionDot status={{ kind: 'refused' }} />,
      lost: () => <ConnectionDot status={{ kind: 'lost', nextTryInMs: 500 }} />,
    },
  },
  {
    component: 'ThemeButton',
    states: Object.fromEntries(themes.map(theme => [theme, () => <ThemeButton theme={signal(theme)} />])),
  },
  {
    component: 'NoticeList',
    states: {
      'three messages': () => (
        <NoticeList notices={{ all: signal(notices), show: () => {}, dismiss: () => {} }} />
      ),
    },
  },
  {
    component: 'ClosedServer',
    states: { 'other machines reach it': () => <ClosedServer app={fixtureApp({})} /> },
  },
  {
    component: 'LoginForm',
    states: {
      'no token yet': () => <LoginForm app={fixtureApp({})} why="The admin plane requires a token." />,
    },
  },
]
