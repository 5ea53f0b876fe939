import type { NearEmulator } from '../../../library/testing/near-emulator.ts'
import type { CloseMessage } from '../close-message.ts'

/** Shows a panel for an emulator in the page. Returns a function that removes it. */
type ShowNear = (root: ShadowRoot, into: HTMLElement, emulator: NearEmulator) => () => void

/** The emulator of this page, if it has one, and what shows it. */
interface NearPanel {
  readonly find: () => NearEmulator | undefined
  readonly load: () => Promise<ShowNear>
}

const tag = 'pet-mock-panel'
const closeMessage: CloseMessage = 'pet-mock: close the panel'

/** Inserts the button, once in a page. `base`: the URL of the admin plane, with a slash at its end. */
export function insertPanel(base: string, near?: NearPanel) {
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
  const show = createBox(root, box, base, near)
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
function createBox(root: ShadowRoot, box: HTMLElement, base: string, near: NearPanel | undefined) {
  let close = () => {}
  return (isOpen: boolean) => {
    close()
    close = () => {}
    box.replaceChildren()
    if (!isOpen) return
    let isWanted = true
    close = () => {
      isWanted = false
    }
    const emulator = near?.find()
    if (near === undefined || emulator === undefined) {
      void describeFrame(base).then(content => isWanted && box.replaceChildren(content))
      return
    }
    void near.load().then(showNear => {
      if (isWanted) close = showNear(root, box, emulator)
    })
  }
}

/** The frame with the panel of a server, or a text that says that no server answers. */
async function describeFrame(base: string): Promise<HTMLElement> {
  // The only file below /__admin that pages of other origins may read.
  const isThere = await fetch(`${base}panel.js`, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!isThere) {
    const text = document.createElement('p')
    text.textContent = `No pet-mock answers at ${base}. Start one with "npx pet-mock".`
    return text
  }
  const frame = document.createElement('iframe')
  frame.title = 'pet-mock'
  frame.src = `${base}panel`
  return frame
}

/** The styles of the button and of the box. The page's own styles do not reach into the shadow root. */
const loaderStyle = `
:host { all: initial; position: fixed; inset: auto 12px 12px auto; z-index: 2147483647; color-scheme: light dark }
.toggle {
  float: right; padding: 6px 12px; border: 1px solid light-dark(#e3e5e9, #282d35); border-radius: 16px; cursor: pointer;
  background: light-dark(#fff, #15181d); color: light-dark(#1b1f24, #e6e8eb);
  font: 500 13px/1.4 system-ui, sans-serif; box-shadow: 0 2px 10px rgb(0 0 0 / 20%)
}
.toggle:focus-visible { outline: 2px solid light-dark(#4f46e5, #a5a3ff); outline-offset: 1px }
.box {
  width: min(380px, calc(100vw - 24px)); height: min(560px, calc(100vh - 70px)); margin-bottom: 8px; overflow: auto;
  border: 1px solid light-dark(#e3e5e9, #282d35); border-radius: 10px; background: light-dark(#fbfbfc, #0e1013);
  color: light-dark(#1b1f24, #e6e8eb); font: 13px/1.5 system-ui, sans-serif; box-shadow: 0 8px 30px rgb(0 0 0 / 30%)
}
.box[hidden] { display: none }
.box > p { margin: 0; padding: 14px }
iframe { display: block; width: 100%; height: 100%; border: 0 }
`
