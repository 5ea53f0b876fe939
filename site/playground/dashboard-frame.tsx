import { useEffect, useRef } from 'preact/hooks'
import { nearName } from '../../src/library/testing/near-emulator.ts'
import { near } from './mock.ts'

/** The unmodified dashboard, over the pet-mock of this page. */
export function DashboardFrame({ base }: { readonly base: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    const { current } = frame
    if (current === null) return
    const { documentElement } = document
    const showTheme = () => {
      const shown = current.contentDocument?.documentElement
      if (shown) shown.dataset.theme = documentElement.classList.contains('dark') ? 'dark' : 'light'
    }
    const watch = new MutationObserver(showTheme)
    watch.observe(documentElement, { attributeFilter: ['class'] })
    const onLoad = () => {
      // Its own choice of colours was made when its script ran.
      showTheme()
      if (current.contentDocument !== null) void keepParts(current.contentDocument)
    }
    current.addEventListener('load', onLoad)
    Reflect.set(current, nearName, near)
    current.src = `${base}dashboard/index.html`
    return () => watch.disconnect()
  }, [])
  return <iframe ref={frame} title="The dashboard of this pet-mock" />
}

/** Loads the parts of pages that nobody has opened yet, so that they work when the network is gone. */
async function keepParts(page: Document): Promise<void> {
  const response = await fetch(new URL('parts.json', page.baseURI))
  const parts: readonly string[] = await response.json()
  for (const part of parts) {
    const link = page.createElement('link')
    link.rel = part.endsWith('.css') ? 'stylesheet' : 'modulepreload'
    link.href = new URL(part, page.baseURI).href
    if (![...page.styleSheets].some(({ href }) => href === link.href)) page.head.append(link)
  }
}
