import { type NearEmulator, nearName } from '../testing/near-emulator.ts'

/** An element of a page, as far as it is used. */
export interface PageElement {
  readonly ownerDocument: { readonly createElement: (name: 'iframe') => unknown }
  readonly append: (...nodes: never[]) => void
}

interface Frame {
  src: string
  title: string
  readonly style: { cssText: string }
  readonly remove: () => void
}

/**
 * Shows the dashboard of an emulator in an element. The frame fills the element, and its address is a blob of this page, so it
 * needs no server.
 */
export async function connectDashboard(
  element: PageElement,
  near: NearEmulator,
): Promise<{ readonly remove: () => void }> {
  const { page } = await import('./dashboard-page.js')
  const frame = element.ownerDocument.createElement('iframe') as Frame
  const address = URL.createObjectURL(new Blob([page], { type: 'text/html' }))
  Reflect.set(frame, nearName, near)
  frame.title = 'pet-mock dashboard'
  frame.style.cssText = 'display: block; width: 100%; height: 100%; border: 0'
  frame.src = address
  element.append(frame as never)
  return {
    remove: () => {
      frame.remove()
      URL.revokeObjectURL(address)
    },
  }
}
