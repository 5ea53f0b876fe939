import { useEffect } from 'preact/hooks'
import type { App } from '../app/app.ts'
import { Problem } from '../design/problem.tsx'
import { type Part, parts } from '../parts/parts.ts'
import { useLoad } from '../state/load.ts'
import type { Place } from '../state/place.ts'

/** The part of a place; the first one without a name, and for the clock, which had a page of its own. */
export function partAt({ part }: Place): Part | undefined {
  return part === '' || part === 'time' ? parts[0] : parts.find(({ path }) => path === part)
}

/** Shows the part that the URL names. Its code is loaded when it is first needed. */
export function PartPage({ app }: { readonly app: App }) {
  const part = partAt(app.places.at.value)
  const load = async () => ({ part, View: (await part?.load().catch(() => undefined))?.View })
  const { value: shown } = useLoad(load, [part])
  useEffect(() => {
    document.title = part === undefined ? 'pet-mock' : `${part.title} · pet-mock`
  }, [part])
  if (part === undefined) return <Problem title="There is no such page">The menu has all pages.</Problem>
  if (shown?.part !== part) return null
  if (shown.View === undefined)
    return <Problem title="This page did not load">Reload it once the server runs.</Problem>
  return <shown.View app={app} />
}
