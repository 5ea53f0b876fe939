import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { App } from '../app/app.ts'
import { Problem } from '../design/problem.tsx'
import type { Part, PartView } from '../parts/part.ts'
import { parts } from '../parts/parts.ts'
import type { Place } from '../state/place.ts'

/** The part of a place; the first one without a name. */
export function partAt({ part }: Place): Part | undefined {
  return part === '' ? parts[0] : parts.find(({ path }) => path === part)
}

type Loaded =
  | { readonly part: Part; readonly View: PartView }
  | { readonly part: Part; readonly View: undefined }

/** Shows the part that the URL names. Its code is loaded when it is first needed. */
export function PartPage({ app }: { readonly app: App }) {
  const part = partAt(app.places.at.value)
  const loaded = useSignal<Loaded | undefined>(undefined)
  useSignalEffect(() => {
    const wanted = partAt(app.places.at.value)
    if (wanted === undefined || loaded.peek()?.part === wanted) return
    const show = (View: PartView | undefined) => {
      // Somebody may have gone on before it came.
      if (partAt(app.places.at.peek()) === wanted) loaded.value = { part: wanted, View }
    }
    wanted.load().then(
      ({ View }) => show(View),
      () => show(undefined),
    )
  })
  useEffect(() => {
    document.title = part === undefined ? 'pet-mock' : `${part.title} · pet-mock`
  }, [part])
  if (part === undefined) return <Problem title="There is no such page">The menu has all pages.</Problem>
  const shown = loaded.value
  if (shown?.part !== part) return null
  if (shown.View === undefined)
    return <Problem title="This page did not load">Reload it once the server runs.</Problem>
  return <shown.View app={app} />
}
