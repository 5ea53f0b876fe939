import { signal } from '@preact/signals'
import { fixtureApp } from '../fixtures/fixture-app.ts'
import type { ComponentStates } from '../fixtures/states.ts'
import type { Notice } from '../state/notices.ts'
import { themes } from '../state/theme.ts'
import { ClosedServer } from './closed-server.tsx'
import { ConnectionDot } from './connection-dot.tsx'
import { LoginForm } from './login-form.tsx'
import { NoticeList } from './notice-list.tsx'
import { ThemeButton } from './theme-button.tsx'

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
