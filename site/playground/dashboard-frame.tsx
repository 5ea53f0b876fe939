import { useLayoutEffect, useRef } from 'preact/hooks'
import { nearName } from '../../src/library/testing/near-emulator.ts'
import { near } from './mock.ts'

/** The unmodified dashboard, over the pet-mock of this page. */
export function DashboardFrame({ base }: { readonly base: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const showTheme = () => {
    const shown = frame.current?.contentDocument?.documentElement
    if (shown) shown.dataset.theme = document.documentElement.classList.contains('dark') ? 'dark' : 'light'
  }
  const onLoad = () => {
    // Its own choice of colours was made when its script ran.
    showTheme()
    if (frame.current?.contentDocument) void keepParts(frame.current.contentDocument)
  }
  // The frame's script, which runs later, looks for it.
  useLayoutEffect(() => {
    if (frame.current !== null) Reflect.set(frame.current, nearName, near)
    const watch = new MutationObserver(showTheme)
    watch.observe(document.documentElement, { attributeFilter: ['class'] })
    return () => watch.disconnect()
  }, [])
  const src = `${base}dashboard/index.html`
  return <iframe ref={frame} src={src} onLoad={onLoad} title="The dashboard of this pet-mock" />
}

/** Loads the parts of pages that nobody has opened yet, so that they work when the network is gone. */
async function keepParts(page: Document): Promise<void> {
  const response = await fetch(new URL('parts.json', page.baseURI))
  const parts: readonly string[] = await response.json()
  for (const part of parts) {
    const rel = part.endsWith('.css') ? 'stylesheet' : 'modulepreload'
    const link = Object.assign(page.createElement('link'), { rel, href: new URL(part, page.baseURI).href })
    if (![...page.styleSheets].some(({ href }) => href === link.href)) page.head.append(link)
  }
}
