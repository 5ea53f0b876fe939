import '../design/tokens.css'
import '../design/base.css'
import './panel.css'
import { signal } from '@preact/signals'
import { render } from 'preact'
import { createFar } from '../plane/far.ts'
import { createPlane } from '../plane/plane.ts'
import { createConnection, visibilityOf } from '../state/connection.ts'
import { createLogin } from '../state/login.ts'
import type { CloseMessage } from './close-message.ts'
import { frameStorage } from './frame-storage.ts'
import { Panel } from './panel.tsx'

const base = new URL('.', document.baseURI)
const login = createLogin(frameStorage())
const { send, watch } = createFar(base.href, login.token)
const plane = createPlane(send, watch, login.refuse)
const host = {
  plane,
  login,
  connection: createConnection(plane.watch, visibilityOf(document)),
  sandbox: signal('default'),
  dashboard: base.href,
}
const closeMessage: CloseMessage = 'pet-mock: close the panel'
window.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && window.parent !== window) window.parent.postMessage(closeMessage, '*')
})
const root = document.getElementById('app')
if (root !== null) render(<Panel host={host} />, root)
