import { useCallback, useEffect, useState } from 'react'
import { type Pause, pauseFor } from './pause.ts'
import type { NewPet, Page, PetService, Quota, Refusal, Status } from './pet-service.ts'

/** The shown page of a list: the cursors that led to it. The first page has none. */
export interface View {
  readonly status: Status | undefined
  readonly trail: readonly string[]
}

export interface Pets {
  readonly view: View
  readonly page: Page | undefined
  readonly quota: Quota | undefined
  readonly isLoading: boolean
  readonly pause: Pause | undefined
  readonly mistake: string | undefined
  readonly look: (view: View) => void
  readonly retry: () => void
  /** Resolves with the refusal, if there was one. */
  readonly add: (pet: NewPet) => Promise<Refusal | undefined>
}

/**
 * The shown list. During a pause the app makes no calls. After it, the app requests the list again.
 */
export function usePets(service: PetService): Pets {
  const [view, setView] = useState<View>({ status: undefined, trail: [] })
  const [page, setPage] = useState<Page>()
  const [quota, setQuota] = useState<Quota>()
  const [pause, setPause] = useState<Pause>()
  const [mistake, setMistake] = useState<string>()
  const [isLoading, setLoading] = useState(true)
  /** A new object requests the list again. */
  const [request, setRequest] = useState<View>(view)

  useEffect(() => {
    let isCurrent = true
    const load = async () => {
      const { status, trail } = request
      const outcome = await service.listPets({ status, from: trail.at(-1) })
      if (!isCurrent) return
      setLoading(false)
      setQuota(outcome.quota)
      if (outcome.value !== undefined) setPage(outcome.value)
      const { refusal } = outcome
      setMistake(refusal?.kind === 'mistake' ? refusal.message : undefined)
      setPause(before => refusal && pauseFor(refusal, before))
    }
    setLoading(true)
    load()
    return () => {
      isCurrent = false
    }
  }, [service, request])

  const retry = useCallback(() => setRequest(({ ...again }) => again), [])

  useEffect(() => {
    if (pause === undefined) return
    const timer = setTimeout(retry, pause.until - Date.now())
    return () => clearTimeout(timer)
  }, [pause, retry])

  return {
    view,
    page,
    quota,
    isLoading,
    pause,
    mistake,
    retry,
    look: next => {
      setView(next)
      setRequest(next)
    },
    add: async pet => {
      const { quota, refusal } = await service.addPet(pet)
      setQuota(quota)
      if (refusal === undefined) retry()
      else if (refusal.kind !== 'outage') setPause(before => pauseFor(refusal, before))
      return refusal
    },
  }
}
