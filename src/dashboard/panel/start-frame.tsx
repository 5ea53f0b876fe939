import { signal } from '@preact/signals'
import { render } from 'preact'
import { createFar } from '../plane/far.ts'
import { createPlane } from '../plane/plane.ts'
import { createConnection } from '../state/connection.ts'
import { createLogin, type TokenStorage } from '../state/login.ts'
import type { CloseMessage } from './close-message.ts'
import { Panel } from './panel.tsx'

import '../design/tokens.css'
import '../design/base.css'
import './panel.css'

const base = new URL('.', document.baseURI)
const login = createLogin(frameStorage())
const plane = createPlane(createFar(base.href, login.token), login.refuse)
const host = {
  plane,
  login,
  connection: createConnection(plane.watch, document),
  sandbox: signal('default'),
  dashboard: base.href,
}
const closeMessage: CloseMessage = 'pet-mock: close the panel'
window.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && window.parent !== window) window.parent.postMessage(closeMessage, '*')
})
const root = document.getElementById('app')
if (root !== null) render(<Panel host={host} />, root)

/** The tab's storage. A browser may refuse it to a frame in another page: then the token lasts as long as the frame. */
function frameStorage(): TokenStorage {
  try {
    return window.sessionStorage
  } catch {
    const values = new Map<string, string>()
    return {
      getItem: name => values.get(name) ?? null,
      setItem: (name, value) => void values.set(name, value),
      removeItem: name => void values.delete(name),
    }
  }
}
