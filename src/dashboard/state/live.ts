import { effect, type ReadonlySignal, signal, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { type Answer, type Input, type OperationId, type Plane, PlaneError } from '../plane/plane.ts'
import type { Connection } from './connection.ts'
import { createPulse } from './pulse.ts'

/** What a response follows: everything, or only `changes`, because calls leave it alone. */
export type Follows = 'revision' | 'changes'

/** An answer that follows the server's changes as often as the connection allows. It keeps the last value when a call fails. */
export function createLive<T>(connection: Connection, load: () => Promise<T>, follows: Follows = 'revision') {
  const value = signal<T | undefined>(undefined)
  const error = signal<PlaneError | undefined>(undefined)
  const pulse = createPulse(async () => {
    if (isHidden(connection)) return
    try {
      value.value = await load()
      error.value = undefined
    } catch (thrown) {
      error.value = toPlaneError(thrown)
    }
  }, connection.rhythm)
  const stopEffect = effect(() => {
    if (isLive(connection, follows)) pulse.want()
  })
  return {
    value,
    error,
    /** Loads once more, such as after a change that this page made. */
    reload: pulse.want,
    stop: () => {
      stopEffect()
      pulse.stop()
    },
  }
}

/** Work that was wanted before the page was hidden waits until somebody looks again. */
export function isHidden({ status }: Connection): boolean {
  return status.peek().kind === 'hidden'
}

/** For an effect: true, and again after each change, as long as the server answers and somebody looks. */
export function isLive(connection: Connection, follows: Follows): boolean {
  return connection[follows].value !== '' && connection.status.value.kind === 'live'
}

export function toPlaneError(thrown: unknown): PlaneError {
  return thrown instanceof PlaneError ? thrown : new PlaneError(0, 'unexpected', String(thrown))
}

/** A live answer for as long as a component is on the page. `on`: what `load` depends on, such as the sandbox. */
export function useLive<T>(
  connection: Connection,
  load: () => Promise<T>,
  on: readonly unknown[] = [],
  follows: Follows = 'revision',
) {
  const live = useMemo(() => createLive(connection, load, follows), [connection, ...on])
  useEffect(() => live.stop, [live])
  return live
}
export interface Source {
  readonly plane: Plane
  readonly connection: Connection
}

/** The live answer of one route of the plane. */
export function useAnswer<Id extends OperationId>(
  { plane, connection }: Source,
  id: Id,
  input: Input<Id> = {},
  follows: Follows = 'revision',
) {
  const load = (): Promise<Answer<Id>> => plane.call(id, input)
  const { value, error, reload } = useLive(connection, load, [id, JSON.stringify(input)], follows)
  return { value: value.value, error: error.value, reload }
}

export interface Loaded<T> {
  readonly value: T | undefined
  readonly error: PlaneError | undefined
}

/** An answer that does not change, such as a call of the past. `on`: what it depends on. */
export function useLoad<T>(load: () => Promise<T>, on: readonly unknown[]): Loaded<T> {
  const loaded = useSignal<Loaded<T>>({ value: undefined, error: undefined })
  useEffect(() => {
    let isWanted = true
    const show = (value: T | undefined, error: PlaneError | undefined) => {
      if (isWanted) loaded.value = { value, error }
    }
    load().then(
      value => show(value, undefined),
      error => show(undefined, toPlaneError(error)),
    )
    return () => {
      isWanted = false
    }
  }, on)
  return loaded.value
}

export interface Notice {
  readonly id: number
  readonly tone: 'good' | 'bad' | 'plain'
  readonly text: string
}

/** Short messages that go by themselves, such as `copied`. */
export interface Notices {
  readonly all: ReadonlySignal<readonly Notice[]>
  readonly show: (text: string, tone?: Notice['tone']) => void
  readonly dismiss: (id: number) => void
}

const shownMs = 6_000
const most = 4

export function createNotices(): Notices {
  const all = signal<readonly Notice[]>([])
  let last = 0
  const dismiss = (id: number) => {
    all.value = all.value.filter(notice => notice.id !== id)
  }
  return {
    all,
    dismiss,
    show: (text, tone = 'plain') => {
      last += 1
      const id = last
      all.value = [...all.value, { id, tone, text }].slice(-most)
      setTimeout(() => dismiss(id), shownMs)
    },
  }
}

/** Does what a click asks for. Shows what came of it, or why the server refused. `done`: the message, if one is needed. */
export async function act(
  { notices }: { readonly notices: Notices },
  work: () => Promise<unknown>,
  done?: string,
): Promise<boolean> {
  try {
    await work()
    if (done !== undefined) notices.show(done, 'good')
    return true
  } catch (error) {
    notices.show(toPlaneError(error).message, 'bad')
    return false
  }
}

/** For buttons: does what a click asks for, and calls `then` once the server did it. */
export function acting(app: Parameters<typeof act>[0], then: () => void) {
  return (work: () => Promise<unknown>, done?: string) => async () => {
    if (await act(app, work, done)) then()
  }
}
