import type { CloseMessage } from '../close-message.ts'
import { findNearEmulator, type NearEmulator } from '../near-emulator.ts'
import { describeFrame } from './frame.ts'
import { loaderStyle } from './loader-style.ts'

/** Shows a panel for an emulator in the page. Returns a function that removes it. */
export type ShowNear = (root: ShadowRoot, into: HTMLElement, emulator: NearEmulator) => () => void

const tag = 'pet-mock-panel'
const closeMessage: CloseMessage = 'pet-mock: close the panel'

/** Inserts the button, once in a page. `base`: the URL of the admin plane, with a slash at its end. */
export function insertPanel(
  base: string,
  loadNear?: () => Promise<ShowNear>,
): { readonly remove: () => void } {
  document.querySelector(tag)?.remove()
  const host = document.createElement(tag)
  const root = host.attachShadow({ mode: 'open' })
  const style = new CSSStyleSheet()
  style.replaceSync(loaderStyle)
  root.adoptedStyleSheets = [style]
  const button = document.createElement('button')
  button.className = 'toggle'
  button.type = 'button'
  button.textContent = 'pet-mock'
  const box = document.createElement('div')
  box.className = 'box'
  box.hidden = true
  root.append(box, button)
  const show = createBox(root, box, base, loadNear)
  const set = (isOpen: boolean) => {
    box.hidden = !isOpen
    button.setAttribute('aria-expanded', `${isOpen}`)
    show(isOpen)
  }
  button.addEventListener('click', () => set(box.hidden !== false))
  const leave = () => {
    if (box.hidden) return
    set(false)
    button.focus()
  }
  root.addEventListener('keydown', event => {
    if (event instanceof KeyboardEvent && event.key === 'Escape') leave()
  })
  // The page does not see keys that are pressed in the frame.
  const listening = new AbortController()
  const hear = ({ source, data }: MessageEvent) => {
    if (data === closeMessage && source === box.querySelector('iframe')?.contentWindow) leave()
  }
  window.addEventListener('message', hear, { signal: listening.signal })
  set(false)
  document.documentElement.append(host)
  return {
    remove: () => {
      listening.abort()
      set(false)
      host.remove()
    },
  }
}

/** Fills the box when it opens, and empties it when it closes: a closed panel costs nothing. */
function createBox(
  root: ShadowRoot,
  box: HTMLElement,
  base: string,
  loadNear: (() => Promise<ShowNear>) | undefined,
): (isOpen: boolean) => void {
  let close = () => {}
  return isOpen => {
    close()
    close = () => {}
    box.replaceChildren()
    if (!isOpen) return
    let isWanted = true
    close = () => {
      isWanted = false
    }
    const near = loadNear && findNearEmulator()
    if (near === undefined || loadNear === undefined) {
      void describeFrame(base).then(content => isWanted && box.replaceChildren(content))
      return
    }
    void loadNear().then(showNear => {
      if (isWanted) close = showNear(root, box, near)
    })
  }
}
