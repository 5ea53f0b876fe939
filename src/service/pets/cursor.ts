import { parseInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'

const mark = 'after:'

/** An opaque text that has only the last id, so that it stays right while pets are created (A15). */
export function writeCursor(lastId: Int64): string {
  return btoa(`${mark}${lastId}`).replaceAll('=', '')
}

/** The id in a cursor, or undefined when this emulator cannot have written it. */
export function readCursor(cursor: string): Int64 | undefined {
  let text: string
  try {
    text = atob(cursor)
  } catch {
    return undefined
  }
  const id = text.startsWith(mark) ? parseInt64(text.slice(mark.length)) : undefined
  return id !== undefined && writeCursor(id) === cursor ? id : undefined
}
