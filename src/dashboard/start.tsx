import './design/tokens.css'
import './design/base.css'
import { render } from 'preact'
import { createApp } from './app/app.ts'
import { createFar } from './plane/far.ts'
import { Shell } from './shell/shell.tsx'
import { keepFocus } from './state/keep-focus.ts'

const base = new URL('.', document.baseURI)
const origin = new URL('..', base).href.replace(/\/$/, '')
const app = createApp(window, {
  connect: token => createFar(base.href, token),
  callApi: (target, init) => fetch(origin + target, init),
  origin,
})
keepFocus(document)
const root = document.getElementById('app')
if (root !== null) render(<Shell app={app} />, root)
