import './design/tokens.css'
import './design/base.css'
import { render } from 'preact'
import { createApp } from './app/app.ts'
import { createFar } from './plane/far.ts'
import { findNear } from './plane/find-near.ts'
import { createNear } from './plane/near.ts'
import { Shell } from './shell/shell.tsx'
import { keepFocus } from './state/keep-focus.ts'

// A page that shows this one in a frame puts its emulator there.
const near = await findNear(window.frameElement ?? window)
const app = createApp(window, near === undefined ? far() : { ...near, connect: () => createNear(near) })
keepFocus(document)
const root = document.getElementById('app')
if (root !== null) render(<Shell app={app} />, root)

/** The server of this page. */
function far(): Parameters<typeof createApp>[1] {
  const base = new URL('.', document.baseURI)
  const origin = new URL('..', base).href.replace(/\/$/, '')
  return {
    connect: token => createFar(base.href, token),
    callApi: (target, init) => fetch(origin + target, init),
    origin,
  }
}
