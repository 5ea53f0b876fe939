import { signal } from '@preact/signals'
import { render } from 'preact'
import type { NearEmulator } from '../../library/testing/near-emulator.ts'
import base from '../design/base.css?inline'
import tokens from '../design/tokens.css?inline'
import { createNear } from '../plane/near.ts'
import { createPlane } from '../plane/plane.ts'
import { createConnection } from '../state/connection.ts'
import own from './panel.css?inline'
import { Panel } from './panel.tsx'

/** Shows the panel of an emulator in this page. Returns a function that removes it. */
export function showNear(root: ShadowRoot, into: HTMLElement, emulator: NearEmulator): () => void {
  const styles = new CSSStyleSheet()
  styles.replaceSync([tokens, base, own].join('\n').replaceAll(':root', ':host'))
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, styles]
  const plane = createPlane(createNear(emulator))
  const connection = createConnection(plane.watch, document)
  const sandbox = signal('default')
  render(<Panel host={{ plane, connection, sandbox, login: undefined, dashboard: undefined }} />, into)
  return () => {
    connection.stop()
    render(null, into)
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter(sheet => sheet !== styles)
  }
}
