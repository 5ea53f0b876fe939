import { effect, signal, useSignal } from '@preact/signals'
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
