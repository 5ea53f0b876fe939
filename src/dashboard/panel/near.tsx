import { signal } from '@preact/signals'
import { render } from 'preact'
import base from '../design/base.css?inline'
import tokens from '../design/tokens.css?inline'
import { createPlane, type Watch } from '../plane/plane.ts'
import { createConnection } from '../state/connection.ts'
import type { NearEmulator } from './near-emulator.ts'
import own from './panel.css?inline'
import { Panel } from './panel.tsx'

/** How often the panel looks whether the emulator has changed, in milliseconds. */
const lookEveryMs = 250

/** Shows the panel of an emulator in this page. Returns a function that removes it. */
export function showNear(root: ShadowRoot, into: HTMLElement, emulator: NearEmulator): () => void {
  const styles = new CSSStyleSheet()
  styles.replaceSync([tokens, base, own].join('\n').replaceAll(':root', ':host'))
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, styles]
  const plane = createPlane(emulator.send, watchNear(emulator))
  const connection = createConnection(plane.watch, document)
  const sandbox = signal('default')
  render(<Panel host={{ plane, connection, sandbox, login: undefined, dashboard: undefined }} />, into)
  return () => {
    connection.stop()
    render(null, into)
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter(sheet => sheet !== styles)
  }
}

function watchNear({ revision }: NearEmulator): Watch {
  return onEvent => {
    let last = -1
    const look = () => {
      const now = revision()
      if (now === last) return
      last = now
      onEvent({ start: 'this page', revision: now, changes: now, newest: {} })
    }
    // The caller is not ready for an event yet.
    const first = setTimeout(look)
    const timer = setInterval(look, lookEveryMs)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }
}
