import './design/tokens.css'
import './design/base.css'
import { render } from 'preact'
import { createApp } from './app/app.ts'
import { createFar } from './plane/far.ts'
import { createNear, findNear } from './plane/near.ts'
import { Shell } from './shell/shell.tsx'
import { keepFocus } from './state/keep-focus.ts'

keepFocus(document)
// A page that shows this one in a frame puts its emulator there.
void Promise.resolve(findNear(window.frameElement ?? window)).then(near => {
  const app = createApp(window, near === undefined ? far() : { ...near, connect: () => createNear(near) })
  const root = document.getElementById('app')
  if (root !== null) render(<Shell app={app} />, root)
})

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
